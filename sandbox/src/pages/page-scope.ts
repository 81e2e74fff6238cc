import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Rejection } from '../core/problem.js';
import { html } from './layout/html.js';
import { layout, pagePolicy } from './layout/layout.js';

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
  const policy = pagePolicy(publicUrl);
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
