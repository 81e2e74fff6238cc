import { useLoaderData, useLocation } from '@remix-run/react';
import Plus from 'lucide-react/icons/plus';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';
import { useDocument } from '../../ui/page/document-data';
import { LinkedText } from '../../ui/page/linked-text';
import { type HelpData, loadHelp } from './help.server';
import { ANSWER_LINKS, type Question, questionGroups } from './questions';

export const handle = { i18n: ['support', 'home', 'tiers'] };
export const loader = loadHelp;
export { privateHeaders as headers, titleMeta as meta } from '../../http/page';

export default function HelpPage() {
  const { help } = useLoaderData<typeof loader>();
  const { t } = useTranslation(['support', 'common', 'header', 'tiers']);
  useOpenQuestion();
  const titles = {
    photos: t('header:photos'),
    plans: t('help.groups.plans'),
    business: t('tiers:plans.business.title'),
    privacy: t('help.groups.privacy'),
  };
  return (
    <article className="mx-auto flex w-full max-w-3xl flex-1 flex-col gap-12 px-5 py-10 sm:px-8 sm:py-16">
      <header className="flex flex-col gap-4">
        <h1 className="text-display-sm">{t('help.title')}</h1>
        <p className="text-lg text-pretty text-muted sm:text-xl">{t('help.lead')}</p>
        <div className="flex flex-wrap gap-3 pt-2">
          <AppLink to={ANSWER_LINKS.contact} className={buttonClass('primary')}>
            {t('common:contactUs')}
          </AppLink>
          <AppLink to="/help/book-a-call" className={buttonClass('quiet')}>
            {t('call.title')}
          </AppLink>
        </div>
      </header>
      <section id="faq" aria-labelledby="faq-title" className="flex scroll-mt-8 flex-col gap-10">
        <h2 id="faq-title" className="sr-only">
          {t('header:questions')}
        </h2>
        {questionGroups(help)
          .filter(({ questions }) => questions.length > 0)
          .map(({ id, questions }) => (
            <div key={id} className="flex flex-col gap-3">
              <h3 className="text-title wrap-break-word hyphens-auto">{titles[id]}</h3>
              {questions.map((question) => (
                <QuestionCard key={question.id} question={question} values={help.values} />
              ))}
            </div>
          ))}
      </section>
    </article>
  );
}

interface QuestionCardProps {
  readonly question: Question;
  readonly values: HelpData['values'];
}

function QuestionCard({ question, values }: QuestionCardProps) {
  const [title, answer] = useWords(question, values);
  return (
    <details className="group rounded-2xl bg-raised shadow-soft">
      <summary className="flex cursor-pointer list-none items-center justify-between gap-4 rounded-2xl px-6 py-5 text-lg font-medium [&::-webkit-details-marker]:hidden">
        {title}
        <Plus aria-hidden className="size-5 shrink-0 text-muted transition group-open:rotate-45" />
      </summary>
      {/* Browsers open a `details` that contains the target of an address. */}
      <p id={question.id} className="max-w-prose scroll-mt-32 px-6 pb-6 text-pretty text-muted">
        <LinkedText text={answer} links={ANSWER_LINKS} />
      </p>
    </details>
  );
}

function useWords(question: Question, values: HelpData['values']): readonly [string, string] {
  const { t } = useTranslation(['support', 'home', 'tiers', 'common']);
  const { limits } = useDocument();
  switch (question.from) {
    case 'home':
      return [t(`home:questions.${question.key}.question`), t(`home:questions.${question.key}.answer`)];
    case 'tiers':
      return [
        t(`tiers:questions.${question.key}.question`),
        t(`tiers:questions.${question.key}.answer`, { personal: values.personal ?? 0 }),
      ];
    case 'support':
      return [
        t(`help.${question.key}.question`),
        question.key === 'formats' ? t('common:about.files.formats', { ...limits }) : answerOf(question.key),
      ];
  }

  function answerOf(key: Exclude<(Question & { from: 'support' })['key'], 'formats'>): string {
    return t(`help.${key}.answer` as 'help.batch.answer', values as { files: number });
  }
}

/** Browsers open it when they load a page, but not when a script shows it. */
function useOpenQuestion(): void {
  const { hash } = useLocation();
  useEffect(() => {
    const answer = hash ? document.getElementById(hash.slice(1)) : null;
    const details = answer?.closest('details');
    if (details) details.open = true;
  }, [hash]);
}
