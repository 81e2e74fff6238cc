import type { Role } from '@clearframe/contract';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Who makes a request. */
export interface Caller {
  readonly userId: string;
  readonly sessionId: string;
  readonly role: Role;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard on rows that need a token. */
    caller?: Caller;
  }
}

/** The caller, in a handler of a row with `auth: 'caller'`. */
export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!caller) throw new Error(`@CurrentCaller() on a row without auth: ${context.getHandler().name}`);
  return caller;
});
