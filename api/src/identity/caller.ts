import type { AiPipeline, Locale, Role } from '@clearframe/contract';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { MoneyStanding } from './standings.js';

/** Who makes a request. */
export interface Caller {
  readonly userId: string;
  readonly sessionId: string;
  readonly role: Role;
  /** Has never logged in. No matter of the role: staff or a gift code may make a guest a business. */
  readonly isGuest: boolean;
  /** Made free by staff. */
  readonly isFree: boolean;
  /** The identity provider's name for them; null for a guest. */
  readonly firebaseUid: string | null;
  /** In which they are written to, as far as it is known. */
  readonly language: Locale | null;
  /** What their money amounted to when the request came in. */
  readonly standing: MoneyStanding;
  /** What they have chosen to be done to a picture when nothing is asked for. */
  readonly defaultAiPipeline: AiPipeline | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard on rows that take a token. */
    caller?: Caller;
  }
}

const callerOf = (context: ExecutionContext): Caller | undefined =>
  context.switchToHttp().getRequest<FastifyRequest>().caller;

/** The caller, in a handler of a row with `auth: 'caller'`. */
export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  const caller = callerOf(context);
  if (!caller) throw new Error(`@CurrentCaller() on a row without auth: ${context.getHandler().name}`);
  return caller;
});

/** The caller, or undefined, in a handler of a row with `auth: 'optional'`. */
export const MaybeCaller = createParamDecorator((_data: unknown, context: ExecutionContext) => callerOf(context));
