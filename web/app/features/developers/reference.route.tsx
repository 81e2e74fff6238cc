import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { throwPageFor } from '../../http/problem.server';
import { translatorFor } from '../../i18n/i18n.server';
import { GuideArticle } from './guide-article';
import { renderMarkdown } from './markdown.server';
import { referencePages } from './reference.server';

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const { page: id = '' } = params;
  const page = (await referencePages(context)).find((each) => each.id === id);
  if (!page) return throwPageFor('request.not_found', context);
  const t = await translatorFor(request, 'support');
  return {
    id,
    name: page.title,
    ...renderMarkdown(page.markdown),
    title: id ? `${page.title} · ${t('developers.reference.docs')}` : t('developers.reference.docs'),
    description: t('developers.lead'),
  };
}

export { pageHeaders as headers, titleMeta as meta } from '../../http/page';

export default function ReferencePage() {
  const { t } = useTranslation('support');
  const { id, name, html, headings } = useLoaderData<typeof loader>();
  return (
    <GuideArticle
      title={id ? name : t('developers.reference.docs')}
      isEnglishTitle={id !== ''}
      html={html}
      headings={headings}
      markdownAddress={id ? `/developers/reference/${id}.md` : '/developers/reference.md'}
    />
  );
}
