import { useTranslation } from 'react-i18next';
import { useRootData } from '../../session/root-data';
import { buttonClass } from '../../ui/controls/button';
import { ModalLink } from '../modals/modal-link';

interface AccountLinkProps {
  /** Without the accent color, which a page's main action has; an icon on phones, for the room of the file's name. */
  readonly isQuiet?: boolean;
}

export function AccountLink({ isQuiet = false }: AccountLinkProps) {
  const { t } = useTranslation('header');
  const { visitor } = useRootData();
  if (visitor.kind === 'guest') {
    return (
      <ModalLink
        modal="user:login"
        with={{ problem: null }}
        className={`${buttonClass('quiet', 'small')} min-h-11 ${isQuiet ? 'max-sm:size-11 max-sm:px-0' : ''}`}
      >
        {isQuiet && (
          <span className="sm:hidden">
            <UserIcon />
          </span>
        )}
        <span className={isQuiet ? 'max-sm:sr-only' : undefined}>{t('logIn')}</span>
      </ModalLink>
    );
  }
  const name = visitor.email;
  return (
    <ModalLink
      modal="user:account"
      with={{ tab: 'general' }}
      className={`grid shrink-0 place-items-center rounded-full font-medium transition ${
        isQuiet
          ? 'size-9 bg-raised-strong text-ink hover:bg-quiet'
          : 'size-11 bg-accent text-on-accent hover:bg-accent-strong'
      }`}
    >
      {name ? (
        <span aria-hidden className="uppercase">
          {[...name][0]}
        </span>
      ) : (
        <UserIcon />
      )}
      {/* No aria-label: it would have to contain the visible text (WCAG 2.5.3). */}
      <span className="sr-only">{name ? t('accountOf', { name }) : t('account')}</span>
    </ModalLink>
  );
}

/** For guests, and members without a known email address. */
function UserIcon() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className="size-5" fill="currentColor">
      <circle cx="12" cy="8" r="4" />
      <path d="M4 20.500a8 8 0 0 1 16 0z" />
    </svg>
  );
}
