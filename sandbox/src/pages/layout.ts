import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Rejection } from '../core/problem.js';
import { documentOf, type Html, html, policyOf } from './html.js';

const STYLE = `
:root { color-scheme: light dark; --ground: light-dark(#f4f5f8, #111318); --card: light-dark(#fff, #1b1e25);
  --ink: light-dark(#16181d, #f1f2f5); --muted: light-dark(#575d69, #a4aab6); --line: light-dark(#d7dae1, #363b46);
  --accent: light-dark(#2f4ee0, #4c68ee); --edge: light-dark(#858c9b, #747b8a);
  --note: light-dark(#fff3d6, #3a2f12); --note-ink: light-dark(#5c4300, #ffdf94);
  --alert: light-dark(#fdebea, #3c1c1b); --alert-ink: light-dark(#8f1d18, #ffb4ae); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 ui-sans-serif, system-ui, sans-serif; }
.banner { padding: .625rem 1rem; background: var(--note); color: var(--note-ink); text-align: center; font-weight: 600;
  font-size: .875rem; }
main { inline-size: min(100% - 2rem, 27rem); margin: clamp(1rem, 6vh, 4rem) auto; padding: clamp(1.25rem, 5vw, 2rem);
  background: var(--card); border: 1px solid var(--line); border-radius: 1.25rem; }
h1 { margin: 0; font-size: 1.375rem; line-height: 1.3; letter-spacing: -.02em; text-wrap: balance; }
h2 { margin: 2rem 0 .25rem; font-size: 1rem; }
p { margin: .5rem 0 0; }
.quiet, dt { color: var(--muted); }
.sum { font-size: 2rem; font-weight: 650; letter-spacing: -.03em; margin: .75rem 0 0; }
.alert { margin-block-start: 1rem; padding: .75rem 1rem; border-radius: .75rem; background: var(--alert);
  color: var(--alert-ink); }
form { margin: 0; }
label { display: block; margin: 1.25rem 0 .375rem; font-weight: 600; font-size: .875rem; }
input { inline-size: 100%; padding: .75rem .875rem; font: inherit; font-variant-numeric: tabular-nums;
  color: inherit; background: transparent; border: 1px solid var(--edge); border-radius: .75rem; }
button, .button { display: block; inline-size: 100%; margin-block-start: .75rem; padding: .75rem 1rem; font: inherit;
  font-weight: 600; text-align: center; text-decoration: none; color: inherit; background: transparent;
  border: 1px solid var(--edge); border-radius: .75rem; cursor: pointer; }
.main { color: #fff; background: var(--accent); border-color: var(--accent); }
.bare { border-color: transparent; color: var(--muted); }
button:hover, .button:hover { filter: brightness(1.08); border-color: var(--ink); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.cards button { display: flex; flex-wrap: wrap; justify-content: space-between; column-gap: 1rem;
  font-weight: 500; text-align: start; margin-block-start: .5rem; }
.cards code { font: inherit; font-size: .875rem; font-variant-numeric: tabular-nums; color: var(--muted); }
section h2 { margin: 0; }
section { margin-block-start: 1.25rem; padding-block-start: 1.25rem; border-block-start: 1px solid var(--line); }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: .75rem 0 0; font-size: .9375rem; }
dd { margin: 0; text-align: end; overflow-wrap: anywhere; }
`;

export const layout = (title: string, content: Html): string =>
  documentOf(
    { title: `${title} - Sandbox payments`, banner: 'no money moves', style: STYLE },
    html`<main>
${content}
</main>`,
  );

export const money = (cents: number, currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(cents / 100);

export const day = (at: Date): string =>
  new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(at);

export const alert = (message: string | null): Html | null =>
  message === null ? null : html`<p class="alert" role="alert">${message}</p>`;

const FORM_LIMIT = 20_000;

export const formOf = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams();

export const queryOf = ({ url }: FastifyRequest): URLSearchParams => new URL(url, 'http://sandbox').searchParams;

export const sendPage = (reply: FastifyReply, page: string, status = 200): FastifyReply =>
  reply.status(status).header('content-type', 'text/html; charset=utf-8').send(page);

const errorPage = ({ description }: Rejection): string =>
  layout('This does not work', html`<h1>This does not work</h1><p class="quiet">${description}</p>`);

/** Bodies are forms, errors are pages. */
export async function pageScope(
  fastify: FastifyInstance,
  publicUrl: string,
  register: (scope: FastifyInstance) => void,
): Promise<void> {
  // Forms lead to these pages and the product.
  const policy = policyOf(STYLE, `form-action 'self' ${publicUrl}`);
  await fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser<string>(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_LIMIT },
      (_request, body, done) => done(null, new URLSearchParams(body)),
    );
    scope.addHook('onSend', async (_request, reply) => {
      reply
        .header('content-security-policy', policy)
        .header('cache-control', 'no-store')
        // The URL contains a client secret.
        .header('referrer-policy', 'no-referrer');
    });
    scope.setErrorHandler((thrown, _request, reply) => {
      const error = thrown instanceof Rejection ? thrown : new Rejection('service.internal');
      return sendPage(reply, errorPage(error), error.status);
    });
    register(scope);
  });
}
