import Plus from 'lucide-react/icons/plus';
import { useTranslation } from 'react-i18next';

const QUESTIONS = ['truth', 'privacy', 'size', 'free'] as const;

export function Questions() {
  const { t } = useTranslation('home');
  return (
    <section
      id="questions"
      aria-labelledby="questions-title"
      className="grid scroll-mt-8 gap-x-16 gap-y-8 py-20 sm:py-32 lg:grid-cols-[minmax(0,4fr)_minmax(0,7fr)]"
    >
      <h2 id="questions-title" className="text-display-sm">
        {t('questions.title')}
      </h2>
      <div className="flex flex-col gap-3">
        {QUESTIONS.map((key) => (
          <details key={key} className="group rounded-2xl bg-raised shadow-soft">
            <summary className="flex cursor-pointer list-none items-center justify-between gap-4 rounded-2xl px-6 py-5 text-lg font-medium [&::-webkit-details-marker]:hidden">
              {t(`questions.${key}.question`)}
              <Plus aria-hidden className="size-5 shrink-0 text-muted transition group-open:rotate-45" />
            </summary>
            <p className="max-w-prose px-6 pb-6 text-pretty text-muted">{t(`questions.${key}.answer`)}</p>
          </details>
        ))}
      </div>
    </section>
  );
}
