import { inSeconds } from '@clearframe/contract';
import { type AppLoadContext, createCookie } from '@remix-run/node';

const cookie = createCookie('clearframe_language', {
  path: '/',
  sameSite: 'lax',
  httpOnly: true,
  maxAge: inSeconds.days(365),
});

/** The chosen language (BCP 47), which may be one that is not offered. */
export async function chosenLanguage(request: Request): Promise<string | null> {
  const tag: unknown = await cookie.parse(request.headers.get('cookie'));
  return typeof tag === 'string' ? tag : null;
}

export async function setLanguage(tag: string, { settings, setCookie }: AppLoadContext): Promise<void> {
  setCookie(await cookie.serialize(tag, { secure: settings.publicUrl.protocol === 'https:' }));
}
