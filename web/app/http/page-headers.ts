import type { HeadersFunction } from '@remix-run/node';

const PASSED_ON = ['cache-control', 'retry-after'];

/** Passes caching and retry headers of loaders, actions and thrown responses to the document. */
export const pageHeaders: HeadersFunction = ({ loaderHeaders, actionHeaders, errorHeaders }) => {
  const headers = new Headers();
  for (const source of [loaderHeaders, actionHeaders, errorHeaders]) {
    for (const name of PASSED_ON) {
      const value = source?.get(name);
      if (value) headers.set(name, value);
    }
  }
  return headers;
};
