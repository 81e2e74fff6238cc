import { type Currency, inSeconds, isCurrency } from '@clearframe/contract';
import { type AppLoadContext, createCookie } from '@remix-run/node';
import { isTheme, type Theme } from '../ui/page/theme';

const LIFETIME = inSeconds.days(365);

const languageCookie = createCookie('clearframe_language', { path: '/', sameSite: 'lax', httpOnly: true });
const themeCookie = createCookie('clearframe_theme', { path: '/', sameSite: 'lax', httpOnly: true });
const currencyCookie = createCookie('clearframe_currency', { path: '/', sameSite: 'lax', httpOnly: true });

type PreferenceCookie = typeof languageCookie;

async function read(cookie: PreferenceCookie, request: Request): Promise<unknown> {
  return cookie.parse(request.headers.get('cookie'));
}

const keep = (cookie: PreferenceCookie, value: string, { settings }: AppLoadContext): Promise<string> =>
  cookie.serialize(value, { maxAge: LIFETIME, secure: settings.publicUrl.protocol === 'https:' });

/** The language that the visitor has chosen (BCP 47), or null. It may be one that we don't offer. */
export async function chosenLanguage(request: Request): Promise<string | null> {
  const tag = await read(languageCookie, request);
  return typeof tag === 'string' ? tag : null;
}

/** @returns the cookie to set */
export const keepLanguage = (tag: string, context: AppLoadContext): Promise<string> =>
  keep(languageCookie, tag, context);

/** The looks that the visitor has chosen; those of the device until then. */
export async function chosenTheme(request: Request): Promise<Theme> {
  const theme = await read(themeCookie, request);
  return isTheme(theme) ? theme : 'system';
}

/** @returns the cookie to set */
export const keepTheme = (theme: Theme, context: AppLoadContext): Promise<string> => keep(themeCookie, theme, context);

/** The currency that the visitor has chosen on the plans page, or null. */
export async function chosenCurrency(request: Request): Promise<Currency | null> {
  const currency = await read(currencyCookie, request);
  return isCurrency(currency) ? currency : null;
}

/** @returns the cookie to set */
export const keepCurrency = (currency: Currency, context: AppLoadContext): Promise<string> =>
  keep(currencyCookie, currency, context);
