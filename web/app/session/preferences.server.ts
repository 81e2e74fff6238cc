import { type Currency, inSeconds, isCurrency } from '@clearframe/contract';
import { type AppLoadContext, createCookie } from '@remix-run/node';
import { isTheme, type Theme } from '../ui/page/document-data';

const OPTIONS = { path: '/', sameSite: 'lax', httpOnly: true, maxAge: inSeconds.days(365) } as const;

const theme = createCookie('clearframe_theme', OPTIONS);
const currency = createCookie('clearframe_currency', OPTIONS);

/** The tutorial of new models has been read. */
const tutorial = createCookie('clearframe_new_models', OPTIONS);

const serialize = (cookie: typeof theme, value: string, { settings }: AppLoadContext): Promise<string> =>
  cookie.serialize(value, { secure: settings.publicUrl.protocol === 'https:' });

export async function chosenTheme(request: Request): Promise<Theme> {
  const value: unknown = await theme.parse(request.headers.get('cookie'));
  return isTheme(value) ? value : 'system';
}

export const themeCookie = (value: Theme, context: AppLoadContext): Promise<string> => serialize(theme, value, context);

export const hasReadTutorial = async (request: Request): Promise<boolean> =>
  (await tutorial.parse(request.headers.get('cookie'))) !== null;

export const tutorialCookie = (context: AppLoadContext): Promise<string> => serialize(tutorial, 'read', context);

export async function chosenCurrency(request: Request): Promise<Currency | null> {
  const value: unknown = await currency.parse(request.headers.get('cookie'));
  return isCurrency(value) ? value : null;
}

export const currencyCookie = (value: Currency, context: AppLoadContext): Promise<string> =>
  serialize(currency, value, context);
