import type { AiPipeline, KeyScope, Locale, OutputContentType, Role } from '@clearframe/contract';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { UserEntitlements } from '../billing-accounts/entitlements.service.js';

/** Admits one picture in the name of a key, and reads its task. */
export interface UploadToken {
  readonly id: string;
  /** Null: the page chooses. */
  readonly aiPipeline: AiPipeline | null;
  readonly outputContentType: OutputContentType | null;
  /** Null until the picture has been accepted. */
  readonly taskId: string | null;
}

export interface KeyPrincipal {
  readonly kind: 'key';
  readonly keyId: string;
  readonly scopes: readonly KeyScope[];
  /** Most requests of the key a minute; null: no limit of its own. */
  readonly perMinute: number | null;
  /** Sent in place of the key. */
  readonly uploadToken?: UploadToken;
}

export type Principal = { readonly kind: 'session'; readonly sessionId: string } | KeyPrincipal;

export interface Caller {
  readonly principal: Principal;
  readonly userId: string;
  /** Of a test key {@link TEST_KEY_ROLE}. */
  readonly role: Role;
  /** Absent for a session. A test key reaches the tasks of test keys only, and a live key the others only. */
  readonly isTest?: boolean;
  /** Has never logged in. Independent of the role: staff or a gift code can give a guest the role `business`. */
  readonly isGuest: boolean;
  readonly isFree: boolean;
  /** The identity provider's id; null for a guest. */
  readonly firebaseUid: string | null;
  /** Language for mail; null while unknown. */
  readonly language: Locale | null;
  /** What the plan allowed when the request started. */
  readonly entitlements: UserEntitlements;
  readonly defaultAiPipeline: AiPipeline | null;
  /** For pictures processed without this choice. */
  readonly keepLocation: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the access guard on routes that read credentials. */
    caller?: Caller;
  }
}

const callerOf = (context: ExecutionContext): Caller | undefined =>
  context.switchToHttp().getRequest<FastifyRequest>().caller;

export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  const caller = callerOf(context);
  if (!caller) throw new Error(`@CurrentCaller() on a route that allows anonymous calls: ${context.getHandler().name}`);
  return caller;
});

export const MaybeCaller = createParamDecorator((_data: unknown, context: ExecutionContext) => callerOf(context));

export const uploadTokenOf = ({ principal }: Caller): UploadToken | undefined =>
  principal.kind === 'key' ? principal.uploadToken : undefined;

/**
 * The session of a caller on a route that admits sessions only.
 * @throws Error for an API key, which the access guard rejects on such routes
 */
export function sessionIdOf({ principal }: Caller): string {
  if (principal.kind !== 'session') throw new Error('an API key reached a route that admits sessions only');
  return principal.sessionId;
}
