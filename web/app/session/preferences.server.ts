import { type Currency, inSeconds, isCurrency } from '@clearframe/contract';
import { type AppLoadContext, createCookie } from '@remix-run/node';
import { isTheme, type Theme } from '../ui/page/document-data';

const OPTIONS = { path: '/', sameSite: 'lax', httpOnly: true, maxAge: inSeconds.days(365) } as const;

const theme = createCookie('clearframe_theme', OPTIONS);
const currency = createCookie('clearframe_currency', OPTIONS);

/** The tutorial of new models has been read. */
const tutorial = createCookie('clearframe_new_models', OPTIONS);

async function store(cookie: typeof theme, value: string, { settings, setCookie }: AppLoadContext): Promise<void> {
  setCookie(await cookie.serialize(value, { secure: settings.publicUrl.protocol === 'https:' }));
}

export async function chosenTheme(request: Request): Promise<Theme> {
  const value: unknown = await theme.parse(request.headers.get('cookie'));
  return isTheme(value) ? value : 'system';
}

export const setTheme = (value: Theme, context: AppLoadContext): Promise<void> => store(theme, value, context);

export const hasReadTutorial = async (request: Request): Promise<boolean> =>
  (await tutorial.parse(request.headers.get('cookie'))) !== null;

export const setTutorialRead = (context: AppLoadContext): Promise<void> => store(tutorial, 'read', context);

export async function chosenCurrency(request: Request): Promise<Currency | null> {
  const value: unknown = await currency.parse(request.headers.get('cookie'));
  return isCurrency(value) ? value : null;
}

export const setCurrency = (value: Currency, context: AppLoadContext): Promise<void> => store(currency, value, context);
