import type { IncomingMessage } from 'node:http';
import { inSeconds } from '@clearframe/contract';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { IdentitySettings } from '../config/identity-settings.ts';
import type { Settings } from '../config/settings.ts';
import { contextOf } from './request-context.ts';

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

/** Directives of the content security policy. Everything comes from our own origin, inline parts by nonce; media also from the object store. */
function directivesOf({ publicUrl, identity, storageOrigin }: Settings) {
  const storage = storageOrigin ? [storageOrigin] : [];
  const nonce = (request: IncomingMessage): string => `'nonce-${contextOf(request).nonce}'`;
  const own = { 'script-src': ["'self'", nonce], 'style-src': ["'self'", nonce] };
  const fixed: Sources = {
    'default-src': ["'none'"],
    // blob: previews a picture that is being uploaded.
    'img-src': ["'self'", 'data:', 'blob:', ...storage],
    'media-src': ["'self'", ...storage],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...storage],
    'manifest-src': ["'self'"],
    'form-action': ["'self'"],
    'frame-src': [],
    'base-uri': ["'none'"],
    'object-src': ["'none'"],
    'frame-ancestors': ["'none'"],
  };
  const providers = [firebaseSources(identity), oneTapSources(identity)];
  const directives = Object.entries({ ...fixed, ...own })
    .map(([name, sources]) => [name, [...sources, ...providers.flatMap((provider) => provider[name] ?? [])]] as const)
    .filter(([, sources]) => sources.length > 0);
  return {
    ...Object.fromEntries(directives),
    ...(publicUrl.protocol === 'https:' && { 'upgrade-insecure-requests': [] }),
  };
}

/** Pages can open a provider's window and receive its messages only where sign-in needs such a window. */
const openerPolicy = ({ firebase, oneTap }: IdentitySettings) =>
  firebase || oneTap ? 'same-origin-allow-popups' : 'same-origin';

/** Headers of everything that the frontend itself answers. */
export function securityHeaders(settings: Settings): RequestHandler[] {
  const isHttps = settings.publicUrl.protocol === 'https:';
  return [
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives: directivesOf(settings) },
      // Not 'no-referrer': browsers then send `Origin: null` with our own forms, which look cross-site.
      referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
      crossOriginOpenerPolicy: { policy: openerPolicy(settings.identity) },
      // Other sites may show our pictures: previews of links load them.
      crossOriginResourcePolicy: false,
      xFrameOptions: { action: 'deny' },
      strictTransportSecurity: isHttps && { maxAge: inSeconds.days(365), includeSubDomains: true },
    }),
    // Helmet has no Permissions-Policy.
    (_request, response, next) => {
      response.setHeader('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=()');
      next();
    },
  ];
}
