import type { RequestHandler } from 'express';
import { contextOf } from './request-context.ts';
import type { Settings } from './settings.ts';

/** The content security policy of one answer. Everything comes from our own origin, inline parts by nonce. */
export function contentSecurityPolicy(nonce: string, publicUrl: URL): string {
  const own = `'self' 'nonce-${nonce}'`;
  const directives: Record<string, string> = {
    'default-src': "'none'",
    'script-src': own,
    'style-src': own,
    // blob: is the preview of a picture that is still being sent.
    'img-src': "'self' data: blob:",
    'media-src': "'self'",
    'font-src': "'self'",
    'connect-src': "'self'",
    'manifest-src': "'self'",
    'form-action': "'self'",
    'base-uri': "'none'",
    'object-src': "'none'",
    'frame-ancestors': "'none'",
  };
  const policy = Object.entries(directives).map(([name, value]) => `${name} ${value}`);
  if (publicUrl.protocol === 'https:') policy.push('upgrade-insecure-requests');
  return policy.join('; ');
}

/** Headers for everything that the frontend itself answers. */
export function securityHeaders({ publicUrl }: Settings): RequestHandler {
  return (request, response, next) => {
    response.setHeader('content-security-policy', contentSecurityPolicy(contextOf(request).nonce, publicUrl));
    response.setHeader('x-content-type-options', 'nosniff');
    // Not 'no-referrer': with it browsers send `Origin: null` on our own forms, which then look foreign.
    response.setHeader('referrer-policy', 'strict-origin-when-cross-origin');
    response.setHeader('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=()');
    response.setHeader('cross-origin-opener-policy', 'same-origin');
    if (publicUrl.protocol === 'https:') {
      response.setHeader('strict-transport-security', 'max-age=31536000; includeSubDomains');
    }
    next();
  };
}
