import interLatin from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import arabic from '@fontsource-variable/noto-sans-arabic/index.css?url';
import devanagari from '@fontsource-variable/noto-sans-devanagari/index.css?url';
import japanese from '@fontsource-variable/noto-sans-jp/index.css?url';
import thai from '@fontsource-variable/noto-sans-thai/index.css?url';
import { type LinksFunction, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunction,
  useMatches,
  useRouteError,
} from '@remix-run/react';
import { type ReactNode, useEffect } from 'react';
import { paymentReturnOn } from './features/checkout/return-parameters';
import { useResetNotice } from './features/login/reset-visit';
import { useAnonymousGuest } from './features/login/use-anonymous-guest';
import { useVisitorUpdates } from './features/login/visitor-updates';
import { ModalsProvider } from './features/modals/modals';
import { useSecretMenuKeys } from './features/secret-menu/use-secret-menu-keys';
import { ErrorPage } from './features/shell/error-page';
import { useFocusOnPage, useLandingVersion, useReloadWhenRestored } from './features/shell/page-effects';
import { Shell } from './features/shell/shell';
import { hasSavedTransfers } from './features/upload/transfer-store';
import { translatorFor } from './i18n/i18n.server';
import { MODALS } from './modals';
import { consentOf } from './session/consent.server';
import { keepLocalStorageId } from './session/local-storage-id.server';
import { showsPhotos } from './session/photos-state';
import { photosStateOf } from './session/photos-state.server';
import { type RootData, useRootData } from './session/root-data';
import { updateTrackingIds } from './session/tracking-ids.server';
import { ensureGuest, visitorOf } from './session/visitor.server';
import styles from './styles/app.css?url';
import { useSession, useThirdParties } from './telemetry/use-telemetry';
import { watchErrors } from './telemetry/watch-errors';
import { DocumentDataElement, type Theme, useDocument } from './ui/page/document-data';
import headScript from './ui/page/head/head.ts?inline-script';

export const handle = { i18n: ['common', 'header', 'footer'] };

/** Fonts of scripts that Inter lacks, by language tag. */
const FONT_STYLESHEETS: Readonly<Record<string, string>> = { ar: arabic, hi: devanagari, ja: japanese, th: thai };

export const links: LinksFunction = () => [
  { rel: 'preload', href: interLatin, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
  { rel: 'stylesheet', href: styles },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'apple-touch-icon', href: '/touch-icon.png' },
  { rel: 'manifest', href: '/manifest.webmanifest' },
];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const url = new URL(request.url);
  const payment = paymentReturnOn(url);
  if (payment) throw redirect(payment, 303);
  const [t, home, visitor, photos] = await Promise.all([
    translatorFor(request, 'common'),
    translatorFor(request, 'home'),
    visitorOf(request, context),
    photosStateOf({ request, context }, showsPhotos(url.pathname)),
    ensureGuest(request, context),
    keepLocalStorageId(request, context),
  ]);
  await updateTrackingIds({ request, context });
  return {
    name: t('name'),
    description: home('description'),
    linkPreview: new URL('/link-preview.jpg', context.settings.publicUrl).href,
    visitor,
    photos,
    identity: context.settings.identity,
    captcha: context.settings.captcha,
    asksForCookies: !context.settings.thirdParties.consentPlatform && consentOf(request, context) === null,
    thirdParties: context.settings.thirdParties,
    landingVersion: context.settings.landingVersion,
  } satisfies RootData;
}

/** The visitor changes with logins and forms, not with navigation. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ currentUrl, nextUrl, formMethod }) =>
  currentUrl.href === nextUrl.href || (formMethod !== undefined && formMethod !== 'GET');

/** Title of error pages. */
export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [{ title: loaded?.name }];

export { pageHeaders as headers } from './http/page';

/** Rendered by the server only: hydration leaves it. */
const HEAD_SCRIPT = import.meta.env.SSR ? headScript : '';

/** Reload interval of waiting pages without JavaScript (spec 2, section 9). */
const REFRESH_SECONDS = '2';

interface PageHandle {
  readonly refreshesWithoutScript?: (loaded: unknown) => boolean;
  /** Imitates another site: rendered without header and footer. */
  readonly isBare?: boolean;
  /** Fills the viewport with a bar of its own: rendered without header. */
  readonly isStage?: (loaded: unknown) => boolean;
  /** Asks for one decision, below a bar of its own: rendered without header. */
  readonly hasOwnBar?: boolean;
  /** Its own `meta` has a description and a link preview. */
  readonly describesItself?: boolean;
}

/** `--ground` of the style sheet, for the browser's own bars. */
const GROUNDS = { light: '#f9fafb', dark: '#0a0c10' } as const;

const themeColors = (theme: Theme): { color: string; media?: string }[] =>
  theme === 'system'
    ? (['light', 'dark'] as const).map((scheme) => ({
        color: GROUNDS[scheme],
        media: `(prefers-color-scheme: ${scheme})`,
      }))
    : [{ color: GROUNDS[theme] }];

/** Loaders of pages that search engines list return one; others have the product's. */
const descriptionIn = (loaded: unknown): string | null =>
  typeof loaded === 'object' && loaded !== null && 'description' in loaded && typeof loaded.description === 'string'
    ? loaded.description
    : null;

export function Layout({ children }: { readonly children: ReactNode }) {
  const { language, direction, theme, requestId, nonce } = useDocument();
  const { name, description, linkPreview } = useRootData();
  const fontStylesheet = FONT_STYLESHEETS[language];
  const matches = useMatches();
  const refreshes = matches.some((match) =>
    (match.handle as PageHandle | undefined)?.refreshesWithoutScript?.(match.data),
  );
  const isBare = matches.some((match) => (match.handle as PageHandle | undefined)?.isBare);
  const isStage = matches.some(
    (match) => match.data !== undefined && (match.handle as PageHandle | undefined)?.isStage?.(match.data),
  );
  // An error page in its place has none.
  const hasOwnBar = matches.some(
    (match) => match.data !== undefined && (match.handle as PageHandle | undefined)?.hasOwnBar,
  );
  const describesItself = matches.some(
    (match) => match.data !== undefined && (match.handle as PageHandle | undefined)?.describesItself,
  );
  const pageDescription = descriptionIn(matches.at(-1)?.data) ?? description;
  useEffect(() => {
    document.documentElement.dataset.live = 'true';
  }, []);
  return (
    <html lang={language} dir={direction} data-theme={theme === 'system' ? undefined : theme} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content={theme === 'system' ? 'light dark' : theme} />
        <meta name="request-id" content={requestId} />
        {themeColors(theme).map(({ color, media }) => (
          <meta key={color} name="theme-color" content={color} media={media} />
        ))}
        {linkPreview && (
          <>
            <meta property="og:site_name" content={name} />
            {!describesItself && (
              <>
                <meta name="description" content={pageDescription} />
                <meta property="og:description" content={pageDescription} />
                <meta property="og:type" content="website" />
                <meta property="og:image" content={linkPreview} />
                <meta property="og:image:width" content="1200" />
                <meta property="og:image:height" content="630" />
                <meta name="twitter:card" content="summary_large_image" />
              </>
            )}
          </>
        )}
        {refreshes && (
          <>
            <meta name="refresh-without-script" content={REFRESH_SECONDS} />
            <noscript>
              <meta httpEquiv="refresh" content={REFRESH_SECONDS} />
            </noscript>
          </>
        )}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant, allowed by nonce */}
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: HEAD_SCRIPT }} />
        <Meta />
        <Links />
        {fontStylesheet && <link rel="stylesheet" href={fontStylesheet} />}
      </head>
      <body>
        <ModalsProvider registry={MODALS}>
          {isBare ? <main>{children}</main> : <Shell hasHeader={!isStage && !hasOwnBar}>{children}</Shell>}
        </ModalsProvider>
        <ScrollRestoration nonce={nonce} />
        <DocumentDataElement />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

export default function App() {
  useReloadWhenRestored();
  useVisitorUpdates();
  useAnonymousGuest();
  useResetNotice();
  useFocusOnPage();
  useLandingVersion(useRootData().landingVersion);
  useSecretMenuKeys();
  useSession();
  useThirdParties(useRootData().thirdParties, useDocument().nonce);
  useEffect(() => {
    // Few visitors need the code for it.
    if (hasSavedTransfers())
      void import('./features/upload/transfers').then(({ restoreSavedTransfers }) => restoreSavedTransfers());
  }, []);
  useEffect(watchErrors, []);
  return <Outlet />;
}

export function ErrorBoundary() {
  return <ErrorPage error={useRouteError()} />;
}
