import type { Page } from '@playwright/test';

/** A word of at most this many letters stands in one line. */
const usualLength = 14;
const longWord = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(4).slice(0, 120);

/** The usual words on the page that are cut in two by the end of a line. */
export async function cutWords(page: Page): Promise<string[]> {
  return page.evaluate((longest) => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      for (const { 0: word, index } of (node.nodeValue ?? '').matchAll(/[^\s-]+/g)) {
        if (word.length > longest) continue;
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (tops.size > 1) found.push(`${word} of '${node.nodeValue?.slice(0, 60)}'`);
      }
    }
    return found;
  }, usualLength);
}

/**
 * Writes a word of 120 letters into each text that may take several lines, as names and titles do, and returns the texts
 * that then reach beyond the page.
 */
export async function textsTooWideForLongWords(page: Page): Promise<string[]> {
  return page.evaluate(async (word) => {
    const { clientWidth } = document.documentElement;
    const texts: [Node, HTMLElement, string][] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const { parentElement: element, nodeValue } = node;
      if (!element || !nodeValue?.trim() || !element.checkVisibility()) continue;
      // The labels of fields are our own words.
      if (element.closest('.mantine-InputWrapper-label')) continue;
      if (getComputedStyle(element).textWrapMode === 'wrap') texts.push([node, element, nodeValue]);
    }
    for (const [node] of texts) node.nodeValue = word;
    // A table that became too wide for its frame is seen to be so after the next drawing.
    for (let frame = 0; frame < 3; frame += 1) await new Promise((drawn) => requestAnimationFrame(drawn));
    const tooWide = texts.filter(([node, element]) => {
      const range = document.createRange();
      range.selectNode(node);
      return range.getBoundingClientRect().right > clientWidth && !isCut(element);
    });
    for (const [node, , before] of texts) node.nodeValue = before;
    return tooWide.map(([, , before]) => before);

    /** What scrolls in a frame of its own, or is cut by one, does not widen the page. */
    function isCut(element: Element | null): boolean {
      for (let at = element; at; at = at.parentElement) {
        const { overflowX, position } = getComputedStyle(at);
        if (overflowX !== 'visible' || position === 'fixed') return true;
      }
      return false;
    }
  }, longWord);
}
