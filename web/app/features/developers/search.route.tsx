import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { orNull } from '../../http/problem.server';
import { translatorFor } from '../../i18n/i18n.server';
import { AppLink } from '../../ui/page/app-link';
import { sectionPages } from './guide.server';
import { referencePages } from './reference.server';
import { searchPages } from './search.server';

const MAX_QUERY = 100;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = (new URL(request.url).searchParams.get('q') ?? '').trim().slice(0, MAX_QUERY);
  const t = await translatorFor(request, 'support');
  // The guide is searched without the backend, too.
  const reference = (await orNull(referencePages(context), { request, context })) ?? [];
  const hits = [...searchPages(query, sectionPages(context.settings.publicUrl)), ...searchPages(query, reference)];
  return { query, hits, title: t('developers.search.label') };
}

export { pageHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function SearchPage() {
  const { t } = useTranslation('support');
  const { query, hits } = useLoaderData<typeof loader>();
  return (
    <div className="flex max-w-3xl min-w-0 flex-col gap-6 pt-8 lg:pt-1">
      <h1 className="text-display-sm">{t('developers.search.label')}</h1>
      <p role="status" className="text-muted">
        {query &&
          (hits.length > 0
            ? t('developers.search.found', { count: hits.length })
            : t('developers.search.none', { query }))}
      </p>
      <ul lang="en" dir="ltr" className="flex flex-col gap-3">
        {hits.map(({ address, section, heading, excerpt }) => (
          <li key={address}>
            <AppLink
              to={address}
              className="flex flex-col gap-1 rounded-control bg-raised px-5 py-4 text-start shadow-soft transition hover:shadow-float"
            >
              <span className="text-sm text-muted">{section}</span>
              <span className="font-medium">{heading}</span>
              <span className="text-sm text-muted wrap-anywhere">{excerpt}</span>
            </AppLink>
          </li>
        ))}
      </ul>
    </div>
  );
}
