import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors/app-error.js';
import { respondWithProblem } from '../errors/problem.filter.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The handler reads the body as it arrives, unless it is JSON. */
    readsStream?: boolean;
  }
}

/** Far deeper than any valid body; recursive code could overflow the stack. */
const MAX_DEPTH = 64;

const OPENING = new Set(['{', '[']);
const CLOSING = new Set(['}', ']']);

function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (isInString && character === '\\') at++;
    else if (character === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (OPENING.has(character) && ++depth > MAX_DEPTH) return true;
    else if (CLOSING.has(character)) depth--;
  }
  return false;
}

const malformed = (description: string): AppError => new AppError('request.malformed', { description });

/** Rejects invalid UTF-8 instead of storing replacement characters. */
function textOf(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw malformed('The body is not UTF-8.');
  }
}

/** An empty body counts as absent: some clients send a content type with every request. */
export function acceptJsonOnly(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      const text = textOf(body);
      if (text.trim() === '') return done(null, undefined);
      if (isTooDeep(text)) throw malformed('The body is nested too deeply.');
      return parse(request, text, done);
    } catch (error) {
      return done(error as Error);
    }
  });
  fastify.addContentTypeParser('*', (request, payload, done) => {
    // Read by the handler.
    if (request.routeOptions.config.readsStream) return done(null, payload);
    return isEmpty(payload).then(
      // Unknown routes respond with 404, whatever the body.
      (empty) =>
        empty || request.is404 ? done(null, undefined) : done(new AppError('request.unsupported_media_type')),
      done,
    );
  });
}

async function isEmpty(payload: Readable): Promise<boolean> {
  payload.resume();
  return new Promise((resolve, reject) => {
    payload.once('data', () => resolve(false));
    payload.once('end', () => resolve(true));
    payload.once('error', reject);
  });
}

export async function rawScope(fastify: FastifyInstance, register: (scope: FastifyInstance) => void): Promise<void> {
  await fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.setErrorHandler((error, request, reply) => {
      // Does not wait for the rest of a rejected body.
      if (!request.raw.complete) reply.header('connection', 'close');
      respondWithProblem(error, request, reply);
    });
    register(scope);
  });
}
