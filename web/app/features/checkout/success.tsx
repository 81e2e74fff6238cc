import type { LucideIcon } from 'lucide-react';
import CalendarClock from 'lucide-react/icons/calendar-clock';
import CircleCheck from 'lucide-react/icons/circle-check';
import Download from 'lucide-react/icons/download';
import Mail from 'lucide-react/icons/mail';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '../../ui/controls/button';
import { AppLink, TEXT_LINK } from '../../ui/page/app-link';

/** What was bought, in the address of a result: `photo` or `plan`. */
export const SUCCESS_PARAMETER = 'bought';

/** A file for calendars with the first charge after a trial. */
export const CALENDAR_ADDRESS = '/account/subscription/first-charge.ics';

export interface SuccessFact {
  readonly kind: 'download' | 'charge' | 'receipt';
  readonly text: string | null;
  /** Without JavaScript; absent: the same. */
  readonly plainText?: string;
  readonly link: { readonly to: string; readonly text: string } | null;
}

/** What a purchase has led to, in the visitor's language. */
export interface Success {
  readonly title: string;
  readonly facts: readonly SuccessFact[];
}

const ICONS: Readonly<Record<SuccessFact['kind'], LucideIcon>> = {
  download: Download,
  charge: CalendarClock,
  receipt: Mail,
};

export function SuccessFacts({ facts }: Pick<Success, 'facts'>) {
  return (
    <ul className="flex flex-col gap-3">
      {facts.map(({ kind, text, plainText, link }) => {
        const Icon = ICONS[kind];
        return (
          <li key={kind} className="flex gap-3">
            <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-accent-ink" />
            <span className="flex min-w-0 flex-wrap gap-x-3 text-pretty [overflow-wrap:anywhere]">
              {text && <span className={plainText && 'nojs:hidden'}>{text}</span>}
              {plainText && <span className="js:hidden">{plainText}</span>}
              {link && (
                // One of them is a file.
                <AppLink to={link.to} reloadDocument className={TEXT_LINK}>
                  {link.text}
                </AppLink>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** Beside the picture that was paid for. Closed sheets of phones have no room for what comes next. */
export function SuccessCard({ success: { title, facts } }: { readonly success: Success }) {
  const { t } = useTranslation('common');
  return (
    <section aria-label={title} className="flex flex-col gap-3 rounded-card bg-accent-soft p-4 text-sm">
      <h2 className="flex items-center gap-3 text-base font-medium">
        <CircleCheck aria-hidden className="size-5 shrink-0 text-accent-ink" />
        {title}
      </h2>
      <SuccessFacts facts={facts} />
      <AppLink
        to="/"
        reloadDocument
        className={`${buttonClass('quiet', 'small')} min-h-11 self-start max-lg:js:hidden`}
      >
        {t('startOver')}
      </AppLink>
    </section>
  );
}
