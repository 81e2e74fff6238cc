import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useDocument } from '../../ui/page/document-data';
import type { Heading } from './markdown.server';
import { useArticle } from './use-article';

interface GuideArticleProps {
  readonly title: string;
  /** Absent: in the visitor's language. */
  readonly isEnglishTitle?: boolean;
  /** Rendered from Markdown without raw HTML. */
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly markdownAddress: string;
  /** Around the text, in the visitor's language. */
  readonly children?: ReactNode;
}

/** A page of the guide: the frame in the visitor's language, the text in English. */
export function GuideArticle({
  title,
  isEnglishTitle = false,
  html,
  headings,
  markdownAddress,
  children,
}: GuideArticleProps) {
  const { t } = useTranslation('support');
  const { language } = useDocument();
  const article = useArticle(html, { copy: t('developers.copy'), copied: t('developers.copied') });
  const sections = headings.filter(({ depth }) => depth === 2);
  return (
    <div className="grid min-w-0 gap-x-12 pt-8 lg:pt-1 xl:grid-cols-[minmax(0,1fr)_12rem]">
      <div className="flex max-w-3xl min-w-0 flex-col gap-6">
        <header className="flex flex-col gap-3">
          <h1 lang={isEnglishTitle ? 'en' : undefined} className="text-display-sm wrap-break-word hyphens-auto">
            {title}
          </h1>
          <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
            {language !== 'en' && <span>{t('developers.english')}</span>}
            <a href={markdownAddress} className="link-quiet underline decoration-line underline-offset-4">
              {t('developers.markdown')}
            </a>
          </p>
        </header>
        <div
          ref={article}
          lang="en"
          dir="ltr"
          className="guide order-1"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: made by the server from its own Markdown
          dangerouslySetInnerHTML={{ __html: html }}
        />
        {children}
      </div>
      {sections.length > 1 && (
        <nav aria-labelledby="on-this-page" className="sticky top-6 hidden self-start text-sm xl:block">
          <p id="on-this-page" className="mb-2 font-medium">
            {t('developers.onThisPage')}
          </p>
          <ul lang="en" dir="ltr" className="flex flex-col gap-2 border-s border-line ps-4 text-start text-muted">
            {sections.map(({ id, text }) => (
              <li key={id}>
                <a href={`#${id}`} className="link-quiet">
                  {text}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  );
}
