import type { RequestHandler } from 'express';
import type { IdentitySettings } from './identity-settings.ts';
import { contextOf } from './request-context.ts';
import type { Settings } from './settings.ts';

type Sources = Record<string, readonly string[]>;

/** Where a provider's own pages are, to which a form of ours may lead. */
const PROVIDER_PAGES = ['https://accounts.google.com', 'https://www.facebook.com', 'https://appleid.apple.com'];

/** What signing in by Firebase needs beside our own origin, and nothing else does. */
function firebaseSources({ firebase }: IdentitySettings): Sources {
  if (!firebase) return {};
  const { authDomain, emulatorUrl } = firebase;
  return {
    // The SDK brings provider windows and our page together through Google's frames.
    'script-src': ['https://apis.google.com'],
    'frame-src': [emulatorUrl ?? `https://${authDomain}`],
    'connect-src': emulatorUrl
      ? [emulatorUrl]
      : ['https://identitytoolkit.googleapis.com', 'https://securetoken.googleapis.com'],
    'form-action': PROVIDER_PAGES,
  };
}

/** What Google's prompt on the home page needs. */
function oneTapSources({ oneTap }: IdentitySettings): Sources {
  if (!oneTap) return {};
  const { origin } = new URL(oneTap.scriptUrl);
  return {
    'script-src': [oneTap.scriptUrl],
    'style-src': [`${origin}/gsi/style`],
    'frame-src': [`${origin}/gsi/`],
    'connect-src': [`${origin}/gsi/`, oneTap.tokenInfoUrl],
  };
}

type Answer = Pick<Settings, 'publicUrl' | 'identity'>;

/** The content security policy of one answer. Everything comes from our own origin, inline parts by nonce. */
export function contentSecurityPolicy(nonce: string, { publicUrl, identity }: Answer): string {
  const own = ["'self'", `'nonce-${nonce}'`];
  const guests = [firebaseSources(identity), oneTapSources(identity)];
  const directives: Sources = {
    'default-src': ["'none'"],
    'script-src': own,
    'style-src': own,
    // blob: is the preview of a picture that is still being sent.
    'img-src': ["'self'", 'data:', 'blob:'],
    'media-src': ["'self'"],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    'manifest-src': ["'self'"],
    'form-action': ["'self'"],
    'frame-src': [],
    'base-uri': ["'none'"],
    'object-src': ["'none'"],
    'frame-ancestors': ["'none'"],
  };
  const policy = Object.entries(directives)
    .map(([name, sources]) => [name, ...sources, ...guests.flatMap((guest) => guest[name] ?? [])])
    .filter((parts) => parts.length > 1)
    .map((parts) => parts.join(' '));
  if (publicUrl.protocol === 'https:') policy.push('upgrade-insecure-requests');
  return policy.join('; ');
}

/** A provider's window may be opened and heard from only where another site's window is what signs people in. */
const openerPolicy = ({ firebase, oneTap }: IdentitySettings): string =>
  firebase || oneTap ? 'same-origin-allow-popups' : 'same-origin';

/** Headers for everything that the frontend itself answers. */
export function securityHeaders(settings: Settings): RequestHandler {
  return (request, response, next) => {
    response.setHeader('content-security-policy', contentSecurityPolicy(contextOf(request).nonce, settings));
    response.setHeader('x-content-type-options', 'nosniff');
    // Not 'no-referrer': with it browsers send `Origin: null` on our own forms, which then look foreign.
    response.setHeader('referrer-policy', 'strict-origin-when-cross-origin');
    response.setHeader('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=()');
    response.setHeader('cross-origin-opener-policy', openerPolicy(settings.identity));
    if (settings.publicUrl.protocol === 'https:') {
      response.setHeader('strict-transport-security', 'max-age=31536000; includeSubDomains');
    }
    next();
  };
}
