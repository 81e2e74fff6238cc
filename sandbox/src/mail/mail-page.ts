import { createHash } from 'node:crypto';
import { z } from 'zod';
import { STYLE } from '../pages/layout/columns-style.js';
import { documentOf } from '../pages/layout/document.js';
import { Html, html } from '../pages/layout/html.js';
import type { ReceivedMail } from './mailbox.js';

export const MAIL_PATH = '/api/sandbox/mail';
export const DOCUMENT_PATH = '/api/sandbox/pages/mail';

const VIEWS = { html: 'HTML', text: 'Text' } as const;
/** CSS pixels of a phone and of a reading pane. */
const WIDTHS = { '390': '390 px', '640': '640 px' } as const;

export const Selection = z.object({
  message: z.string().optional(),
  view: z.enum(['html', 'text']).default('html'),
  width: z.enum(['390', '640']).default('640'),
});
type Selection = z.infer<typeof Selection>;

interface MailPage {
  readonly mails: readonly ReceivedMail[];
  readonly hasMore: boolean;
  readonly selected: ReceivedMail | null;
  readonly query: { readonly to?: string | undefined; readonly starting_after?: string | undefined };
  readonly selection: Selection;
}

/** Content-Security-Policy of the page: own styles, and messages in frames. */
export const pagePolicy = (): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "frame-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');

/** Content-Security-Policy of a message: as in mail clients, no scripts, and pictures of the product only. */
export const documentPolicy = (publicUrl: string): string =>
  [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src ${publicUrl}`,
    "frame-ancestors 'self'",
    "base-uri 'none'",
    `sandbox ${FRAME_RIGHTS}`,
  ].join('; ');

/** Links open in new tabs, which are not restricted. */
const FRAME_RIGHTS = 'allow-popups allow-popups-to-escape-sandbox allow-same-origin';

function addressOf({ query, selection }: MailPage, change: Partial<Selection & MailPage['query']>): string {
  const { to, starting_after, message, view, width } = { ...query, ...selection, ...change };
  const given = Object.entries({ to, starting_after, message, view, width }).filter(
    (entry): entry is [string, Exclude<(typeof entry)[1], undefined>] => entry[1] !== undefined,
  );
  return `${MAIL_PATH}?${new URLSearchParams(given)}`;
}

const timeOf = (at: Date): Html =>
  html`<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 16).replace('T', ' ')}</time>`;

const item = (page: MailPage, mail: ReceivedMail): Html => html`
<li><a href="${addressOf(page, { message: mail.id })}"${mail.id === page.selected?.id && new Html(' aria-current="true"')}>
<strong dir="auto">${mail.subject}</strong>
<span class="quiet"><bdi>${mail.to}</bdi></span>
<span class="quiet">${timeOf(mail.sentAt)} ${mail.language && html`<span class="badge">${mail.language}</span>`}</span>
</a></li>`;

const list = (page: MailPage): Html => html`
<nav aria-label="Messages">
<form method="get" action="${MAIL_PATH}">
<label for="to">To</label>
<input id="to" name="to" type="email" autocomplete="off" placeholder="address" value="${page.query.to ?? ''}">
<button>Filter</button>
</form>
${page.mails.length === 0 ? html`<p class="quiet">No messages.</p>` : html`<ol>${page.mails.map((mail) => item(page, mail))}</ol>`}
${page.hasMore && html`<a class="more" href="${addressOf(page, { starting_after: page.mails.at(-1)?.id, message: undefined })}">Older messages</a>`}
</nav>`;

const choices = <Name extends string>(
  label: string,
  names: Readonly<Record<Name, string>>,
  chosen: Name,
  hrefOf: (name: Name) => string,
): Html => html`
<ul class="choices" aria-label="${label}">
${(Object.keys(names) as Name[]).map((name) => html`<li><a href="${hrefOf(name)}"${name === chosen && new Html(' aria-current="true"')}>${names[name]}</a></li>`)}
</ul>`;

function message(page: MailPage, mail: ReceivedMail): Html {
  const { view, width } = page.selection;
  const isText = view === 'text' || mail.html === null;
  const shown = { ...page.selection, message: mail.id };
  return html`
<h1 dir="auto">${mail.subject}</h1>
<dl>
<dt>From</dt><dd><bdi>${mail.from}</bdi></dd>
<dt>To</dt><dd><bdi>${mail.to}</bdi></dd>
<dt>Sent</dt><dd>${timeOf(mail.sentAt)} UTC</dd>
<dt>Language</dt><dd>${mail.language ?? 'unknown'}</dd>
</dl>
<div class="bar">
${choices('Part', VIEWS, isText ? 'text' : 'html', (name) => addressOf(page, { ...shown, view: name }))}
${!isText && choices('Width', WIDTHS, width, (name) => addressOf(page, { ...shown, width: name }))}
</div>
${
  isText
    ? html`<pre dir="auto" lang="${mail.language ?? ''}">${mail.text}</pre>`
    : html`<iframe class="w${width}" sandbox="${FRAME_RIGHTS}" src="${DOCUMENT_PATH}/${mail.id}" title="Message"></iframe>`
}`;
}

/** Works without JavaScript. */
export const mailPage = (page: MailPage): string =>
  documentOf(
    {
      title: `${page.selected?.subject ?? 'Mail'} - Sandbox mail`,
      banner: 'no mail leaves this computer',
      style: STYLE,
    },
    html`<div class="columns">
${list(page)}
<main>
${page.selected ? message(page, page.selected) : html`<h1>Mail</h1><p class="quiet">Select a message.</p>`}
</main>
</div>`,
  );
