import type { LoaderFunctionArgs } from '@remix-run/node';

const YEAR_MS = 365 * 24 * 3600 * 1000;

/** RFC 9116. It expires a year after it was read, as a running installation always answers. */
export function loader({ context }: LoaderFunctionArgs): Response {
  const { publicUrl } = context.settings;
  const lines = [
    `Contact: ${new URL('/help/contact', publicUrl).href}`,
    `Expires: ${new Date(Date.now() + YEAR_MS).toISOString()}`,
    `Canonical: ${new URL('/.well-known/security.txt', publicUrl).href}`,
    'Preferred-Languages: en',
  ];
  return new Response(`${lines.join('\n')}\n`, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
}
