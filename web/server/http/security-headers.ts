import type { IncomingMessage } from 'node:http';
import { inSeconds } from '@clearframe/contract';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { IdentitySettings, Settings } from '../config/settings.ts';
import { contextOf } from './request-context.ts';

interface PolicyOptions {
  readonly allowsInlineStyles: boolean;
}

type Sources = Record<string, readonly string[]>;

/** Login pages that forms may redirect to. */
const PROVIDER_PAGES = ['https://accounts.google.com', 'https://www.facebook.com', 'https://appleid.apple.com'];

function firebaseSources({ firebase }: IdentitySettings): Sources {
  if (!firebase) return {};
  const { authDomain, emulatorUrl } = firebase;
  return {
    // The SDK connects provider windows and the page through Google's frames.
    'script-src': ['https://apis.google.com'],
    'frame-src': [emulatorUrl ?? `https://${authDomain}`],
    'connect-src': emulatorUrl
      ? [emulatorUrl]
      : ['https://identitytoolkit.googleapis.com', 'https://securetoken.googleapis.com'],
    'form-action': PROVIDER_PAGES,
  };
}

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

/** https://developers.google.com/recaptcha/docs/faq#im-using-content-security-policy-csp */
function captchaSources({ captcha, publicUrl }: Settings): Sources {
  if (!captcha) return {};
  const { origin } = new URL(captcha.scriptUrl);
  if (origin === publicUrl.origin) return {};
  const own = `${origin}/recaptcha/`;
  return {
    'script-src': [own, 'https://www.gstatic.com/recaptcha/'],
    'frame-src': [own, 'https://recaptcha.google.com/recaptcha/'],
    'connect-src': [own],
  };
}

/** Sources of payment forms, and of the payment pages that our forms redirect to. */
const paymentSources = ({ paymentOrigins: origins }: Settings): Sources => ({
  'script-src': origins,
  'frame-src': origins,
  'connect-src': origins,
  'img-src': origins,
  'form-action': origins,
});

const thirdPartySources = ({ thirdPartyOrigins: origins }: Settings): Sources => ({
  'script-src': origins,
  'style-src': origins,
  'frame-src': origins,
  'connect-src': origins,
  'img-src': origins,
});

/** Content security policy: our own origin, inline parts by nonce, media also from the object store. */
function directivesOf(settings: Settings, { allowsInlineStyles }: PolicyOptions) {
  const { publicUrl, identity, storageOrigin } = settings;
  const storage = storageOrigin ? [storageOrigin] : [];
  const nonce = (request: IncomingMessage): string => `'nonce-${contextOf(request).nonce}'`;
  const own = {
    'script-src': ["'self'", nonce],
    'style-src': ["'self'", allowsInlineStyles ? "'unsafe-inline'" : nonce],
  };
  const fixed: Sources = {
    'default-src': ["'none'"],
    // blob: for the preview of an upload.
    'img-src': ["'self'", 'data:', 'blob:', ...storage],
    'media-src': ["'self'", 'blob:', ...storage],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...storage],
    'manifest-src': ["'self'"],
    'form-action': ["'self'"],
    'frame-src': [],
    'base-uri': ["'none'"],
    'object-src': ["'none'"],
    'frame-ancestors': ["'none'"],
  };
  const providers = [
    firebaseSources(identity),
    oneTapSources(identity),
    captchaSources(settings),
    paymentSources(settings),
    thirdPartySources(settings),
  ];
  const directives = Object.entries({ ...fixed, ...own })
    .map(([name, sources]) => [name, [...sources, ...providers.flatMap((provider) => provider[name] ?? [])]] as const)
    .filter(([, sources]) => sources.length > 0);
  return {
    ...Object.fromEntries(directives),
    ...(publicUrl.protocol === 'https:' && { 'upgrade-insecure-requests': [] }),
  };
}

/** Allows popups only where login or a wallet uses them. */
const openerPolicy = ({ identity: { firebase, oneTap }, paymentOrigins }: Settings) =>
  firebase || oneTap || paymentOrigins.length > 0 ? 'same-origin-allow-popups' : 'same-origin';

/** Payment forms in frames may use wallets of the browser. */
const permissionsOf = ({ paymentOrigins }: Settings): string => {
  const allowed = paymentOrigins.map((origin) => `"${origin}"`);
  return `camera=(), geolocation=(), microphone=(), payment=(${allowed.length > 0 ? ['self', ...allowed].join(' ') : ''})`;
};

/** Headers of all responses except proxied ones. */
export function securityHeaders(settings: Settings, pages: PolicyOptions): RequestHandler[] {
  const isHttps = settings.publicUrl.protocol === 'https:';
  return [
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives: directivesOf(settings, pages) },
      // Not 'no-referrer': browsers would send `Origin: null` with our own forms.
      referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
      crossOriginOpenerPolicy: { policy: openerPolicy(settings) },
      // Link previews on other sites load our pictures.
      crossOriginResourcePolicy: false,
      xFrameOptions: { action: 'deny' },
      strictTransportSecurity: isHttps && { maxAge: inSeconds.days(365), includeSubDomains: true },
    }),
    // Not supported by Helmet.
    (_request, response, next) => {
      response.setHeader('permissions-policy', permissionsOf(settings));
      next();
    },
  ];
}
