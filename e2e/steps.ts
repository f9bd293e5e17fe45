import type { Locator, Page } from '@playwright/test';

/** Counts what a person does for a task. Words that they write do not count, because every product asks for these. */
export function countSteps(page: Page) {
  const counted = { clicks: 0, keys: 0 };
  return {
    counted,
    click: async (target: Locator) => {
      counted.clicks += 1;
      await target.click();
    },
    press: async (key: string) => {
      counted.keys += 1;
      await page.keyboard.press(key);
    },
    write: (words: string) => page.keyboard.type(words),
    /** Going to a field counts, and what is written there does not. */
    fill: async (field: Locator, words: string) => {
      counted.clicks += 1;
      await field.fill(words);
    },
    choose: async (field: Locator, option: string) => {
      counted.clicks += 2;
      await field.click();
      await page.getByRole('option', { name: option, exact: true }).click();
    },
  };
}
