import type { LoaderFunctionArgs } from '@remix-run/node';
import { orNull, throwPageFor } from '../../http/problem.server';
import { ENGLISH, sectionMarkdown } from './guide.server';
import { referencePages, serverLimits } from './reference.server';
import { isSection } from './sections';

/** The source of a page of the guide, for agents and readers without a browser. */
export async function loader({ request, params: { section, page: id }, context }: LoaderFunctionArgs) {
  if (isSection(section)) {
    const [title] = ENGLISH[section];
    const limits = await orNull(serverLimits(context), { request, context });
    return markdownResponse(title, sectionMarkdown(section, context.settings.publicUrl, limits));
  }
  if (id === undefined && section !== 'reference') return throwPageFor('request.not_found', context);
  const page = (await referencePages(context)).find((each) => each.id === (id ?? ''));
  return page ? markdownResponse(page.title, page.markdown) : throwPageFor('request.not_found', context);
}

const markdownResponse = (title: string, text: string): Response =>
  new Response(`# ${title}\n\n${text}`, {
    headers: { 'content-type': 'text/markdown; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  });
