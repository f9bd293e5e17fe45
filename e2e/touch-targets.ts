import type { Page } from '@playwright/test';

/** Tries points around each target's middle, as a finger would. Skips links within running text. */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const least = 44;
    const tolerance = 0.5;
    const pressable =
      'a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=option], [role=menuitem], [role=switch]';
    const isLinkInText = (target: Element) => {
      if (target.tagName !== 'A' || getComputedStyle(target).display !== 'inline') return false;
      const around = target.parentElement?.textContent?.trim() ?? '';
      return around.length > (target.textContent?.trim() ?? '').length;
    };
    const isHit = (target: Element, x: number, y: number) => {
      const hit = document.elementFromPoint(x, y);
      if (!hit) return false;
      const control = hit.closest('label')?.control;
      return target.contains(hit) || control === target;
    };
    const reach = (target: Element, x: number, y: number, stepX: number, stepY: number) => {
      let steps = 0;
      while (steps < least && isHit(target, x + (steps + 0.5) * stepX, y + (steps + 0.5) * stepY)) steps += 0.5;
      return steps;
    };
    // Toasts cover what is below them for a few seconds.
    for (const toast of document.querySelectorAll<HTMLElement>('[data-toast]')) toast.style.display = 'none';
    const findings = new Set<string>();
    let tried = 0;
    const place = document.querySelector('[role=dialog]') ?? document;
    for (const target of place.querySelectorAll(pressable)) {
      if (target.closest('[inert]') || target.matches(':disabled, [type=hidden]') || isLinkInText(target)) continue;
      if (!target.checkVisibility({ visibilityProperty: true })) continue;
      const label = target instanceof HTMLInputElement ? target.labels?.[0] : undefined;
      const isDrawnByLabel = target.matches('[type=radio], [type=checkbox]') && target.clientWidth < 8;
      const shown = isDrawnByLabel && label ? label : target;
      shown.scrollIntoView({ block: 'center', behavior: 'instant' });
      const [box] = shown.getClientRects();
      // Such a target shows only for the keyboard or a screen reader.
      if (!box || box.width < 2 || box.bottom < 0 || target.matches('[type=file]')) continue;
      tried += 1;
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      const half = least / 2 - tolerance;
      const isRoomy = [-half, half].every((step) => isHit(target, x + step, y) && isHit(target, x, y + step));
      if (isRoomy) continue;
      const width = reach(target, x, y, -1, 0) + reach(target, x, y, 1, 0);
      const height = reach(target, x, y, 0, -1) + reach(target, x, y, 0, 1);
      if (width >= least - tolerance && height >= least - tolerance) continue;
      const name = target.getAttribute('aria-label') ?? label?.textContent ?? target.textContent ?? '';
      findings.add(`${target.tagName.toLowerCase()} '${name.trim().slice(0, 40)}' ${width} × ${height}`);
    }
    return tried === 0 ? ['has nothing to press'] : [...findings];
  });
}
