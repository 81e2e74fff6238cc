import type { LoaderFunctionArgs } from '@remix-run/node';
import { ENGLISH } from './guide.server';
import { SECTIONS } from './sections';

/** https://llmstxt.org */
export function loader({ context }: LoaderFunctionArgs): Response {
  const addressOf = (path: string) => new URL(path, context.settings.publicUrl).href;
  const text = [
    '# Clearframe',
    '> Restores photos and videos with AI and holds every face to the person it shows. One HTTP request sends a picture and gets the finished one; each result has a likeness per face, a map of what was changed, and a recipe that reproduces it.',
    'Requests carry a key in `X-Api-Key` or as a bearer token. Errors are problem documents with a stable `error_code`.',
    ['## Guide', '']
      .concat(
        SECTIONS.map((section) => {
          const [title, summary] = ENGLISH[section];
          return `- [${title}](${addressOf(`/developers/${section}.md`)}): ${summary}`;
        }),
      )
      .join('\n'),
    [
      '## Reference',
      '',
      `- [API reference](${addressOf('/developers/reference.md')}): every operation, by group`,
      `- [OpenAPI document](${addressOf('/api/openapi.json')}): every operation with its schemas`,
      `- [Python client](${addressOf('/developers/clearframe.py')}): one file, standard library only`,
    ].join('\n'),
    [
      '## Optional',
      '',
      `- [Plans and prices](${addressOf('/pricing')})`,
      `- [Privacy policy](${addressOf('/privacy-and-cookie-policy')})`,
    ].join('\n'),
  ].join('\n\n');
  return new Response(`${text}\n`, {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  });
}
