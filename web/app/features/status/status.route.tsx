import type { ServiceComponent, ServiceState } from '@clearframe/contract';
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import Clock from 'lucide-react/icons/clock';
import { useTranslation } from 'react-i18next';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import { fetchServiceStatus } from './status.server';

export const handle = { i18n: ['support'] };

export { privateHeaders as headers, titleMeta as meta } from '../../http/page';

export async function loader({ request, context }: LoaderFunctionArgs) {
  const [{ status, components }, t, language] = await Promise.all([
    fetchServiceStatus({ request, context }),
    translatorFor(request, 'support'),
    languageOf(request),
  ]);
  return {
    status,
    components: components.map((component) => shownAs(component, language)),
    title: t('status.title'),
    description: t(`status.overall.${status}`),
  };
}

const SECONDS_A_MINUTE = 60;

function shownAs({ name, status, waitingSeconds, since }: ServiceComponent, language: string) {
  return {
    name,
    status,
    since: since && { iso: since, text: dateTimeOf(language).format(new Date(since)) },
    /** Empty: work begins at once. */
    wait: waitingSeconds === null ? null : waitingSeconds > 0 ? durationOf(waitingSeconds, language) : '',
  };
}

const dateTimeOf = (language: string) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

function durationOf(seconds: number, language: string): string {
  const isShort = seconds < 2 * SECONDS_A_MINUTE;
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: isShort ? 'second' : 'minute',
    unitDisplay: 'long',
  }).format(isShort ? seconds : Math.ceil(seconds / SECONDS_A_MINUTE));
}

const ICONS = { operational: CircleCheck, degraded: Clock, outage: CircleAlert } as const;
const COLORS = { operational: 'text-accent-ink', degraded: 'text-muted', outage: 'text-on-alert' } as const;

function StateIcon({ status }: { readonly status: ServiceState }) {
  const Icon = ICONS[status];
  return <Icon aria-hidden className={`size-5 shrink-0 ${COLORS[status]}`} />;
}

export default function StatusPage() {
  const { t } = useTranslation('support');
  const { status, components } = useLoaderData<typeof loader>();
  return (
    <article className="mx-auto flex w-full max-w-3xl flex-1 flex-col gap-8 px-5 py-10 sm:px-8 sm:py-16">
      <header className="flex flex-col gap-4">
        <h1 className="text-display-sm wrap-break-word hyphens-auto">{t('status.title')}</h1>
        <p className="text-lg text-pretty text-muted sm:text-xl">{t(`status.overall.${status}`)}</p>
        {status !== 'operational' && <p className="text-pretty">{t('status.kept')}</p>}
      </header>
      <ul className="flex flex-col divide-y divide-line rounded-card bg-raised px-6 shadow-soft">
        {components.map(({ name, status: state, since, wait }) => (
          <li key={name} className="flex flex-wrap items-start justify-between gap-x-8 gap-y-2 py-5">
            <div className="flex flex-col gap-1">
              <h2 className="font-medium">{t(`status.components.${name}`)}</h2>
              {wait !== null && (
                <p className="text-sm text-muted">{wait ? t('status.wait', { time: wait }) : t('status.noWait')}</p>
              )}
            </div>
            <div className="flex flex-col gap-1 sm:items-end">
              <p className="flex items-center gap-2">
                <StateIcon status={state} />
                {t(`status.states.${state}`)}
              </p>
              {since && (
                <time dateTime={since.iso} className="text-sm text-muted">
                  {t('status.since', { time: since.text })}
                </time>
              )}
            </div>
          </li>
        ))}
      </ul>
      <a href="/status.json" className="link-quiet self-start text-sm text-muted underline underline-offset-4">
        {t('status.json')}
      </a>
    </article>
  );
}
