import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { AppLink } from '../../ui/page/app-link';
import { GuideArticle } from './guide-article';
import { KeyLink } from './key-link';
import { loadSection } from './section.server';
import { SECTIONS, sectionAddress } from './sections';

export const loader = loadSection;
export { privateHeaders as headers, titleMeta as meta } from '../../http/page';

export default function SectionPage() {
  const { t } = useTranslation('support');
  const { section, html, headings, access } = useLoaderData<typeof loadSection>();
  const next = SECTIONS[SECTIONS.indexOf(section) + 1];
  return (
    <GuideArticle
      title={t(`developers.sections.${section}`)}
      html={html}
      headings={headings}
      markdownAddress={`/developers/${section}.md`}
    >
      {access && (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4 rounded-card bg-raised px-6 py-5 shadow-soft">
          <KeyLink access={access} />
        </div>
      )}
      {next && (
        <AppLink
          to={sectionAddress(next)}
          className="order-last mt-6 flex flex-col gap-1 rounded-card bg-raised px-6 py-5 shadow-soft transition hover:shadow-float"
        >
          <span className="text-sm text-muted">{t('developers.next')}</span>
          <span className="font-medium">{t(`developers.sections.${next}`)}</span>
        </AppLink>
      )}
    </GuideArticle>
  );
}
