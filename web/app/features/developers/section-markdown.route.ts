import type { LoaderFunctionArgs } from '@remix-run/node';
import { throwPageFor } from '../../http/problem.server';
import { ENGLISH, sectionMarkdown } from './guide.server';
import { isSection } from './sections';

/** The source of a page of the guide, for agents and readers without a browser. */
export function loader({ params, context }: LoaderFunctionArgs) {
  const { section } = params;
  if (!isSection(section)) return throwPageFor('request.not_found', context);
  const [title] = ENGLISH[section];
  return markdownResponse(`# ${title}\n\n${sectionMarkdown(section, context.settings.publicUrl)}`);
}

const markdownResponse = (text: string): Response =>
  new Response(text, {
    headers: { 'content-type': 'text/markdown; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  });
