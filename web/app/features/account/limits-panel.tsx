import { useTranslation } from 'react-i18next';
import type { FormattedDate } from '../../i18n/formatted-date';
import { ProgressBar } from '../../ui/content/waiting';
import { buttonClass } from '../../ui/controls/button';
import { ModalLead, ModalTitle } from '../../ui/modal/modal-frame';
import { AppLink } from '../../ui/page/app-link';
import { ModalLink } from '../modals/modal-link';
import type { AccountView } from './account-view.server';
import type { PanelProps } from './panel';
import { Group } from './rows';

export function LimitsPanel({ account: { limits } }: PanelProps) {
  const { t } = useTranslation('account');
  const { exports, exportsUsed, resetsAt, trial, credits, video } = limits;
  // Credits without a plan include no downloads per period.
  const hasPeriod = exports === null || exports > 0;
  return (
    <>
      <ModalTitle>{t('limits.title')}</ModalTitle>
      {exports !== null && (
        <ModalLead>
          <p>{t('limits.lead')}</p>
        </ModalLead>
      )}
      {hasPeriod && (
        <Group title={t('limits.downloads')}>
          <div className="flex flex-col gap-2.5 px-3 py-2">
            {exports === null ? (
              <p className="text-title">{t('limits.unlimited')}</p>
            ) : (
              <>
                <p className="text-title">
                  {exportsUsed >= exports ? t('limits.reached') : t('limits.left', { count: exports - exportsUsed })}
                </p>
                <Bar text={t('limits.used', { used: exportsUsed, all: exports })} share={exportsUsed / exports} />
                {trial ? <TrialLimits exports={exports} trial={trial} /> : <Resets at={resetsAt} />}
                {exportsUsed >= exports && <p className="text-pretty">{t('limits.business')}</p>}
                {exportsUsed >= exports && (
                  <ModalLink
                    modal="offer"
                    with={{ topic: 'downloads' }}
                    className={`mt-1 self-start ${buttonClass('primary', 'small')} min-h-11`}
                  >
                    {t('limits.more')}
                  </ModalLink>
                )}
              </>
            )}
          </div>
        </Group>
      )}
      {credits > 0 && (
        <Group title={t('limits.credits')}>
          <div className="flex flex-col items-start gap-1 px-3 py-2">
            <p className="text-title">{t('limits.left', { count: credits })}</p>
            <p className="text-sm text-pretty text-muted">{t('limits.creditsBody')}</p>
            {!hasPeriod && (
              <AppLink
                to="/upgrade?previousAction=limit#packs"
                className={`mt-2 ${buttonClass('quiet', 'small')} min-h-11`}
              >
                {t('limits.more')}
              </AppLink>
            )}
          </div>
        </Group>
      )}
      {video && <VideoUse video={video} />}
    </>
  );
}

interface TrialLimitsProps {
  /** During the trial. */
  readonly exports: number;
  readonly trial: NonNullable<AccountView['limits']['trial']>;
}

function TrialLimits({ exports, trial: { paidFrom, exports: count, period } }: TrialLimitsProps) {
  const { t } = useTranslation(['account', 'tiers']);
  return (
    <p className="text-sm text-pretty text-muted">
      {t('limits.trial', { count: exports })}{' '}
      {paidFrom &&
        t('limits.afterTrial', {
          date: paidFrom.text,
          allowance: t('tiers:features.personalExports', { count, period }),
        })}
    </p>
  );
}

function VideoUse({ video }: { readonly video: NonNullable<AccountView['limits']['video']> }) {
  const { t } = useTranslation('account');
  const { usedMegabytes, megabytes, usedSeconds, seconds, resetsAt } = video;
  return (
    <Group title={t('limits.video')}>
      <div className="flex flex-col gap-2.5 px-3 py-2">
        <p className="text-title">{t('limits.videoSizeLeft', { left: Math.max(0, megabytes - usedMegabytes) })}</p>
        <Bar text={t('limits.videoSize', { used: usedMegabytes, all: megabytes })} share={usedMegabytes / megabytes} />
        <p className="mt-3 text-title">{t('limits.videoLengthLeft', { left: Math.max(0, seconds - usedSeconds) })}</p>
        <Bar text={t('limits.videoLength', { used: usedSeconds, all: seconds })} share={usedSeconds / seconds} />
        <Resets at={resetsAt} />
      </div>
    </Group>
  );
}

function Bar({ text, share }: { readonly text: string; readonly share: number }) {
  return (
    <div className="flex flex-col gap-1.5">
      {/* A darker or colored track would look filled. */}
      <div className="text-muted">
        <ProgressBar label={text} value={Math.min(1, share)} />
      </div>
      <p className="text-sm text-muted">{text}</p>
    </div>
  );
}

function Resets({ at }: { readonly at: FormattedDate | null }) {
  const { t } = useTranslation('account');
  if (!at) return null;
  return (
    <time dateTime={at.iso} className="text-sm text-muted">
      {t('limits.resets', { date: at.text })}
    </time>
  );
}
