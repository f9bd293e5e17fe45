import { counted } from '../../ui/counted.ts';

/** Counting stops there. */
const mostCounted = 1000;

/** '40 seconds', '3 minutes', '2 hours', '4 days' */
export function waitInWords(seconds: number): string {
  if (seconds < 60) return counted(Math.round(seconds), 'second');
  if (seconds < 3600) return counted(Math.floor(seconds / 60), 'minute');
  if (seconds < 2 * 86_400) return counted(Math.floor(seconds / 3600), 'hour');
  return counted(Math.floor(seconds / 86_400), 'day');
}

/** 'Send mail' of send-mail */
export function queueInWords(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A remedy in parts, of which some are commands. A terminal shows its backticks, a screen does not. */
export function commandsIn(remedy: string): { text: string; isCommand: boolean }[] {
  return remedy
    .split(/(`[^`]+`|\bnpm (?:run [\w:-]*\w|start))/)
    .map((text, index) => ({ text: text.replaceAll('`', ''), isCommand: index % 2 === 1 }))
    .filter(({ text }) => text !== '');
}

/** '3 waiting, 1 running' */
export function stateInWords({ waiting, running }: { waiting: number; running: number }): string {
  const count = (number: number) => `${number.toLocaleString('en-US')}${number >= mostCounted ? ' or more' : ''}`;
  const parts = [waiting > 0 ? `${count(waiting)} waiting` : '', running > 0 ? `${count(running)} running` : ''];
  return parts.filter(Boolean).join(', ');
}
