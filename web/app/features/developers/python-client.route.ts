import client from '../../../../client/python/clearframe.py?raw';

/** The Python client, which is one file: `curl -O …/developers/clearframe.py`. */
export function loader(): Response {
  return new Response(client, {
    headers: { 'content-type': 'text/x-python; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  });
}
