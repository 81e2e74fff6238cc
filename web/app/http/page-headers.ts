import type { HeadersFunction } from '@remix-run/node';

const PASSED_ON = ['cache-control', 'retry-after'];

/** Lets what a loader, an action or a thrown answer says about caching and retrying reach the document. */
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
