import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import type { Settings } from '../config/settings.ts';

/** What loaders and actions get to know about the request they serve, beside the request itself. */
export interface RequestContext {
  readonly settings: Settings;
  readonly logger: Logger;
  /** Folder of the files the browser is served. */
  readonly clientFolder: string;
  /** Follows the request through both services; visitors quote it to support. */
  readonly requestId: string;
  /** The visitor's address: the socket's, or the one a trusted proxy forwards. */
  readonly clientAddress: string;
  /** Scripts and styles of this one answer carry it. */
  readonly nonce: string;
}

/** What is the same for all requests. */
export type Surroundings = Pick<RequestContext, 'settings' | 'logger' | 'clientFolder'>;

const contexts = new WeakMap<IncomingMessage, RequestContext>();

/** Makes the context of a request; ids come from here alone, never from outside. */
export function openContext(request: Request, response: Response, surroundings: Surroundings): RequestContext {
  const requestId = randomUUID();
  const context: RequestContext = {
    ...surroundings,
    logger: surroundings.logger.child({ requestId }),
    requestId,
    clientAddress: request.ip ?? '',
    nonce: randomBytes(16).toString('base64'),
  };
  contexts.set(request, context);
  response.setHeader('x-request-id', requestId);
  return context;
}

/** @throws when the request has not been opened, which is a fault in the order of the handlers */
export function contextOf(request: IncomingMessage): RequestContext {
  const context = contexts.get(request);
  if (!context) throw new Error('This request has no context: openContext has to run first.');
  return context;
}
