import type { LucideIcon } from 'lucide-react';
import Bell from 'lucide-react/icons/bell';
import CreditCard from 'lucide-react/icons/credit-card';
import LockOpen from 'lucide-react/icons/lock-open';
import { useTranslation } from 'react-i18next';
import type { FormattedDate } from '../../i18n/formatted-date';
import { buttonClass } from '../../ui/controls/button';
import type { TrialDays } from './trial-days.server';

interface TrialRoadmapProps {
  readonly days: TrialDays;
  readonly charge: { readonly price: string; readonly every: string };
  /** Downloads during the trial; null: unlimited. */
  readonly exports: number | null;
  readonly formId: string;
}

export function TrialRoadmap({ days: { today, reminder, end }, charge, exports, formId }: TrialRoadmapProps) {
  const { t } = useTranslation('tiers');
  const todayBody = exports === null ? t('roadmap.todayBody') : t('roadmap.todayDownloads', { count: exports });
  return (
    <section aria-labelledby="roadmap" className="flex flex-col gap-6 rounded-picture bg-well p-6 sm:p-8">
      <h2 id="roadmap" className="text-title">
        {t('roadmap.title')}
      </h2>
      <ol className="roadmap">
        <Step icon={LockOpen} title={t('roadmap.today')} date={today} body={todayBody} />
        {reminder && (
          <Step
            icon={Bell}
            title={t('roadmap.day', { day: reminder.day })}
            date={reminder.date}
            body={t('roadmap.reminderBody')}
          />
        )}
        <Step
          icon={CreditCard}
          title={t('roadmap.day', { day: end.day })}
          date={end.date}
          body={t('roadmap.endBody', charge)}
        />
      </ol>
      <a href={`#${formId}`} className={`${buttonClass('primary')} lg:hidden`}>
        {t('roadmap.continue')}
      </a>
    </section>
  );
}

interface StepProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly date: FormattedDate;
  readonly body: string;
}

const Step = ({ icon: Icon, title, date, body }: StepProps) => (
  <li className="roadmap-step">
    <span aria-hidden className="roadmap-sign">
      <Icon className="size-5" />
    </span>
    <div className="flex min-w-0 flex-col gap-0.5">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{title}</span>
        <time dateTime={date.iso} className="text-sm text-muted">
          {date.text}
        </time>
      </p>
      <p className="text-pretty text-muted">{body}</p>
    </div>
  </li>
);
