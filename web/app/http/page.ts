import type { HeadersFunction, MetaFunction } from '@remix-run/node';

type LoadTitle = () => { readonly title: string };

/** For pages whose loader returns their title. */
export const titleMeta: MetaFunction<LoadTitle> = ({ data: loaded }) => [{ title: loaded?.title }];

/** The same, for pages that search engines should not list. */
export const unlistedMeta: MetaFunction<LoadTitle> = ({ data: loaded }) => [
  { title: loaded?.title },
  { name: 'robots', content: 'noindex' },
];

const FORWARDED_HEADERS = ['cache-control', 'retry-after'];

/** Passes caching and retry headers of loaders, actions and thrown responses to the document. */
export const pageHeaders: HeadersFunction = (sources) => headersFrom(sources);

/** The same, for pages with private data: the browser keeps no copy that a later user could open. */
export const privateHeaders: HeadersFunction = (sources) => headersFrom(sources, { 'cache-control': 'no-store' });

function headersFrom(
  { loaderHeaders, actionHeaders, errorHeaders }: Parameters<HeadersFunction>[0],
  defaults?: HeadersInit,
): Headers {
  const headers = new Headers(defaults);
  for (const source of [loaderHeaders, actionHeaders, errorHeaders]) {
    for (const name of FORWARDED_HEADERS) {
      const value = source?.get(name);
      if (value) headers.set(name, value);
    }
  }
  return headers;
}
