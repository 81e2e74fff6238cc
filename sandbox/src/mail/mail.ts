import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { productScope, Rejection, readInput } from '../core/problem.js';
import { STYLE, timeOf } from '../pages/columns.js';
import { documentOf, Html, html, policyOf } from '../pages/html.js';
import type { Mailbox, ReceivedMail } from './mailbox.js';

const MAIL_PATH = '/api/sandbox/mail';
const DOCUMENT_PATH = '/api/sandbox/pages/mail';

const VIEWS = { html: 'HTML', text: 'Text' } as const;
/** CSS pixels of a phone and of a reading pane. */
const WIDTHS = { '390': '390 px', '640': '640 px' } as const;

const Selection = z.object({
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

/** Own styles, and messages in frames. */
const PAGE_POLICY = policyOf(STYLE, "frame-src 'self'", "form-action 'self'");

/** Content-Security-Policy of a message: as in mail clients, no scripts, and pictures of the product only. */
const documentPolicy = (publicUrl: string): string =>
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
const mailPage = (page: MailPage): string =>
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

const ListQuery = z.object({
  // The form sends an empty field.
  to: z
    .email()
    .or(z.literal('').transform(() => undefined))
    .optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  starting_after: z.string().optional(),
});

export class MailRoutes {
  constructor(
    private readonly mailbox: Mailbox,
    private readonly publicUrl: string,
  ) {}

  async mount(fastify: FastifyInstance): Promise<void> {
    await productScope(fastify, (scope) => {
      scope.get(MAIL_PATH, (request, reply) =>
        request.headers.accept?.includes('text/html') ? this.page(request, reply) : this.list(request),
      );
      scope.get(`${DOCUMENT_PATH}/:id`, (request, reply) => this.document(request, reply));
    });
  }

  private async list(request: FastifyRequest) {
    const { mails, hasMore } = await this.read(readInput(ListQuery, request.query));
    return { data: mails.map(present), has_more: hasMore };
  }

  private async page(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const query = readInput(ListQuery, request.query);
    const selection = readInput(Selection, request.query);
    const { mails, hasMore } = await this.read(query);
    const selected = selection.message === undefined ? mails[0] : await this.mailbox.find(selection.message);
    return sendHtml(reply, mailPage({ mails, hasMore, selected: selected ?? null, query, selection }), PAGE_POLICY);
  }

  private async document(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const mail = await this.mailbox.find((request.params as { id: string }).id);
    if (!mail?.html) throw new Rejection('request.not_found');
    return sendHtml(reply, mail.html, documentPolicy(this.publicUrl));
  }

  private async read({ to, limit, starting_after: after }: z.infer<typeof ListQuery>) {
    const page = await this.mailbox.list({ to, limit, after });
    if (!page) throw new Rejection('request.not_found');
    return page;
  }
}

const present = ({ id, to, subject, text, html, language, sentAt }: ReceivedMail) => ({
  id,
  to,
  subject,
  text,
  html,
  language,
  sent_at: sentAt.toISOString(),
});

const sendHtml = (reply: FastifyReply, page: string, policy: string): FastifyReply =>
  reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('referrer-policy', 'no-referrer')
    .send(page);
