import { PROBLEM_CONTENT_TYPE, Problem, problemOf, toWire } from '@clearframe/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { Rejection } from './rejection.js';

export function readInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const fields = result.error.issues.map(({ path, message }) => [path.join('.'), message]);
  throw new Rejection('request.invalid', undefined, Object.fromEntries(fields));
}

/** Error handler of routes that respond like the product. */
export function respondWithProblem(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = thrown instanceof Rejection ? thrown : new Rejection('service.internal');
  if (!(thrown instanceof Rejection)) request.log.error({ err: thrown }, 'request failed');
  const problem = problemOf(error.code, request.id, error.description, error.details);
  reply
    .status(error.status)
    .header('content-type', PROBLEM_CONTENT_TYPE)
    // Fastify would add a charset to a string, which this content type doesn't define.
    .send(Buffer.from(JSON.stringify(toWire(Problem, problem))));
}
