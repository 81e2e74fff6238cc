import {
  ERRORS,
  type ErrorCode,
  PROBLEM_CONTENT_TYPE,
  Problem,
  problemOf,
  toWire,
  wirePath,
} from '@clearframe/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';

/** An expected error of a page or of a route for developers, in the product's own shape. */
export class Rejection extends Error {
  override readonly name = 'Rejection';
  readonly status: number;

  constructor(
    readonly code: ErrorCode,
    readonly description: string = ERRORS[code].title,
    readonly details?: Readonly<Record<string, unknown>>,
  ) {
    super(description);
    this.status = ERRORS[code].status;
  }
}

export function readInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const fields = result.error.issues.map(({ path, message }) => [wirePath(path), message]);
  throw new Rejection('request.invalid', undefined, Object.fromEntries(fields));
}

/** Routes that respond like the product. */
export async function productScope(
  fastify: FastifyInstance,
  register: (scope: FastifyInstance) => void,
): Promise<void> {
  await fastify.register(async (scope) => {
    scope.setErrorHandler(respondWithProblem);
    scope.addHook('onSend', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });
    register(scope);
  });
}

export function respondWithProblem(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = thrown instanceof Rejection ? thrown : new Rejection(codeOf(thrown));
  const problem = problemOf(error.code, request.id, error.description, error.details);
  reply
    .status(error.status)
    .header('content-type', PROBLEM_CONTENT_TYPE)
    // Fastify would add a charset to a string, which this content type doesn't define.
    .send(Buffer.from(JSON.stringify(toWire(Problem, problem))));
}

/** Of an error of Fastify, which has rejected the body. */
function codeOf(thrown: unknown): ErrorCode {
  const { statusCode } = thrown as { statusCode?: unknown };
  if (statusCode === 413) return 'request.too_large';
  if (statusCode === 415) return 'request.unsupported_media_type';
  return statusCode === 400 ? 'request.malformed' : 'service.internal';
}
