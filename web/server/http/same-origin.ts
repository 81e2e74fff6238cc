import type { Request, RequestHandler } from 'express';
import type { Settings } from '../config/settings.ts';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];
/** Of a page of ours, or of the browser itself. */
const OWN_SITES = ['same-origin', 'none'];

/** True for the requested host and for the configured public host. */
function isOwnOrigin(origin: string, request: Request, publicUrl: URL): boolean {
  if (!URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  return host === request.headers.host || host === publicUrl.host;
}

/**
 * Rejects cross-site requests (CSRF). Replaces `X-Forwarded-Host`, which Remix's own check trusts though clients can
 * forge it.
 */
export function sameOriginOnly({ publicUrl }: Settings): RequestHandler {
  return (request, response, next) => {
    delete request.headers['x-forwarded-host'];
    // No page sends `none`: the visitor shared files with the installed app, whose origin is opaque.
    if (request.headers['sec-fetch-site'] === 'none' && request.headers.origin === 'null')
      delete request.headers.origin;
    const { origin, 'sec-fetch-site': site } = request.headers;
    if (SAFE_METHODS.includes(request.method)) return next();
    const isForeign = origin
      ? !isOwnOrigin(origin, request, publicUrl)
      : site !== undefined && !OWN_SITES.includes(site);
    if (isForeign) return response.sendStatus(403);
    if (origin) request.headers['x-forwarded-host'] = new URL(origin).host;
    next();
  };
}
