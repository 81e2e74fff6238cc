import type { Request, RequestHandler } from 'express';
import type { Settings } from '../config/settings.ts';

const READING = ['GET', 'HEAD', 'OPTIONS'];

/** The host that a changing request says it comes from is ours: by the address bar or by configuration. */
function isOurs(origin: string, request: Request, publicUrl: URL): boolean {
  if (!URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  return host === request.headers.host || host === publicUrl.host;
}

/**
 * Rejects cross-site requests with the visitor's cookie (CSRF). Removes forwarded hosts, which Remix's own check trusts
 * though clients can forge them.
 */
export function sameOriginOnly({ publicUrl }: Settings): RequestHandler {
  return (request, response, next) => {
    delete request.headers['x-forwarded-host'];
    const { origin, 'sec-fetch-site': site } = request.headers;
    if (READING.includes(request.method)) return next();
    const isForeign = origin ? !isOurs(origin, request, publicUrl) : site !== undefined && site !== 'same-origin';
    if (isForeign) return response.sendStatus(403);
    if (origin) request.headers['x-forwarded-host'] = new URL(origin).host;
    next();
  };
}
