import type { HeadersFunction } from '@remix-run/node';

const FORWARDED_HEADERS = ['cache-control', 'retry-after'];

/** Passes caching and retry headers of loaders, actions and thrown responses to the document. */
export const pageHeaders: HeadersFunction = ({ loaderHeaders, actionHeaders, errorHeaders }) => {
  const headers = new Headers();
  for (const source of [loaderHeaders, actionHeaders, errorHeaders]) {
    for (const name of FORWARDED_HEADERS) {
      const value = source?.get(name);
      if (value) headers.set(name, value);
    }
  }
  return headers;
};
