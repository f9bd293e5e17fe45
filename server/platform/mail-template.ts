export interface MailContent {
  greeting: string;
  paragraphs: string[];
  action?: { label: string; url: string };
  /** Small print under the signature. */
  footer?: { text: string; url: string };
}

/** Makes both bodies of a mail, to be spread into it. Everything given is text, and markup in it stays text. */
export function mailTemplate({ greeting, paragraphs, action, footer }: MailContent): { text: string; html: string } {
  const signature = 'Switchyard';
  const textParts = [
    greeting,
    ...paragraphs,
    ...(action ? [`${action.label}: ${action.url}`] : []),
    signature,
    ...(footer ? [`${footer.text} ${footer.url}`] : []),
  ];
  const htmlParts = [
    paragraph(escapeHtml(greeting)),
    ...paragraphs.map((part) => paragraph(escapeHtml(part))),
    ...(action ? [paragraph(button(action.label, action.url)), paragraph(plainAddress(action.url))] : []),
    paragraph(escapeHtml(signature)),
    ...(footer ? [paragraph(smallPrint(footer))] : []),
  ];
  return { text: `${textParts.join('\n\n')}\n`, html: page(htmlParts.join('')) };
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function page(content: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head><body style="margin:0;padding:24px;font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1c2530"><div style="max-width:560px;margin:0 auto">${content}</div></body></html>`;
}

function paragraph(content: string): string {
  return `<p style="margin:0 0 16px">${content}</p>`;
}

function button(label: string, url: string): string {
  return `<a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#1d4ed8;color:#ffffff;text-decoration:none">${escapeHtml(label)}</a>`;
}

function plainAddress(url: string): string {
  return `<span style="font-size:13px;color:#5b6775;word-break:break-all">Or copy this address into the browser: ${escapeHtml(url)}</span>`;
}

function smallPrint({ text, url }: { text: string; url: string }): string {
  return `<span style="font-size:13px;color:#5b6775">${escapeHtml(text)} <a href="${escapeHtml(url)}" style="color:#5b6775;word-break:break-all">${escapeHtml(url)}</a></span>`;
}
