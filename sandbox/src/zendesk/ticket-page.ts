import type { FastifyInstance } from 'fastify';
import { STYLE, timeOf } from '../pages/columns.js';
import { documentOf, Html, html, policyOf } from '../pages/html.js';
import type { StoredTicket, Tickets } from './tickets.js';

const PATH = '/api/sandbox/pages/tickets';

const POLICY = policyOf(STYLE);

export class TicketPage {
  constructor(private readonly tickets: Tickets) {}

  mount(fastify: FastifyInstance): void {
    fastify.get(PATH, async ({ query }, reply) => {
      const tickets = await this.tickets.list();
      const { ticket: id } = query as { ticket?: unknown };
      const selected = tickets.find((ticket) => String(ticket.id) === id) ?? tickets[0] ?? null;
      return reply
        .header('content-type', 'text/html; charset=utf-8')
        .header('content-security-policy', POLICY)
        .header('cache-control', 'no-store')
        .header('referrer-policy', 'no-referrer')
        .send(page(tickets, selected));
    });
  }
}

const item = ({ id, content, createdAt }: StoredTicket, isSelected: boolean): Html => html`
<li><a href="${PATH}?ticket=${id}"${isSelected && new Html(' aria-current="true"')}>
<strong dir="auto">${content.subject}</strong>
<span class="quiet"><bdi>${content.requester.email}</bdi></span>
<span class="quiet">${timeOf(createdAt)}</span>
</a></li>`;

const details = ({ id, content, createdAt }: StoredTicket): Html => html`
<h1 dir="auto">${content.subject}</h1>
<dl>
<dt>Ticket</dt><dd>${id}</dd>
<dt>From</dt><dd><bdi>${content.requester.name}</bdi> <bdi>&lt;${content.requester.email}&gt;</bdi></dd>
<dt>Created</dt><dd>${timeOf(createdAt)} UTC</dd>
<dt>Tags</dt><dd>${content.tags.join(', ')}</dd>
</dl>
<pre dir="auto">${content.comment.body}</pre>`;

const page = (tickets: readonly StoredTicket[], selected: StoredTicket | null): string =>
  documentOf(
    {
      title: `${selected?.content.subject ?? 'Tickets'} - Sandbox support desk`,
      banner: 'no request leaves this computer',
      style: STYLE,
    },
    html`<div class="columns">
<nav aria-label="Tickets">
${tickets.length === 0 ? html`<p class="quiet">No tickets.</p>` : html`<ol>${tickets.map((one) => item(one, one.id === selected?.id))}</ol>`}
</nav>
<main>
${selected ? details(selected) : html`<h1>Support desk</h1><p class="quiet">Requests sent at /help/contact are listed here.</p>`}
</main>
</div>`,
  );
