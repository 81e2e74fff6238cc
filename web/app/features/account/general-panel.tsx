import Globe from 'lucide-react/icons/globe';
import Images from 'lucide-react/icons/images';
import ShieldCheck from 'lucide-react/icons/shield-check';
import SunMoon from 'lucide-react/icons/sun-moon';
import { useTranslation } from 'react-i18next';
import { LANGUAGE_NAMES } from '../../i18n/language-names';
import { ModalTitle } from '../../ui/modal/modal-frame';
import { AppLink } from '../../ui/page/app-link';
import { useDocument } from '../../ui/page/document-data';
import { ModalLink } from '../modals/modal-link';
import { ThemeSwitch } from '../settings/theme-switch';
import type { PanelProps } from './panel';
import { DefaultTools, LocationSwitch, ReminderSwitch } from './preferences';
import { ProfileCard } from './profile-card';
import { Group, ROW, RowContents } from './rows';
import { SectionLink } from './section-link';

export function GeneralPanel({ account, onChange, modal }: PanelProps) {
  const { t } = useTranslation('account');
  const { language } = useDocument();
  const { wantsEmailReminder, keepLocation, defaultTools } = account.preferences;
  return (
    <>
      <ModalTitle>{t('general.title')}</ModalTitle>
      <ProfileCard member={account.member} />
      <Group title={t('general.preferences')}>
        {wantsEmailReminder !== null && <ReminderSwitch isOn={wantsEmailReminder} onChange={onChange} />}
        <LocationSwitch isOn={keepLocation} onChange={onChange} />
        {defaultTools !== undefined && <DefaultTools tools={defaultTools} onChange={onChange} />}
      </Group>
      <Group>
        <AppLink to="/history" className={ROW}>
          <RowContents icon={Images}>{t('general.history')}</RowContents>
        </AppLink>
        {account.privacy && (
          <SectionLink modal={modal} to="privacy" className={ROW}>
            <RowContents icon={ShieldCheck}>{t('privacy.title')}</RowContents>
          </SectionLink>
        )}
        <ModalLink modal="language" with={{}} className={ROW}>
          <RowContents icon={Globe} value={LANGUAGE_NAMES[language] ?? language}>
            {t('general.language')}
          </RowContents>
        </ModalLink>
        <div className="flex min-h-12 items-center gap-3.5 py-1 ps-3 pe-1 font-medium">
          <SunMoon aria-hidden className="size-5 shrink-0 text-muted" />
          <span className="min-w-0 flex-1">{t('general.appearance')}</span>
          <ThemeSwitch />
        </div>
      </Group>
    </>
  );
}
