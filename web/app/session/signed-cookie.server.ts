import { type AppLoadContext, type Cookie, createCookie } from '@remix-run/node';

/** A cookie of the whole site that scripts can't read and visitors can't alter. */
export function signedCookie(name: string, maxAge: number, { settings }: AppLoadContext): Cookie {
  const isSecure = settings.publicUrl.protocol === 'https:';
  return createCookie(`${isSecure ? '__Host-' : ''}clearframe_${name}`, {
    secrets: [settings.cookieSecret],
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
    path: '/',
    maxAge,
  });
}
