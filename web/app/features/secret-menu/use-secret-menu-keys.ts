import { useEffect } from 'react';
import { useModals } from '../modals/modals';

/** Keys of the combination, beside Meta and Shift. */
const KEYS = ['Digit7', 'KeyU'];

/** Opens the secret menu with Meta+Shift+7+u (spec 1, section 2). */
export function useSecretMenuKeys(): void {
  const { open } = useModals();
  useEffect(() => {
    let pressed: string[] = [];
    // While Meta is held, macOS reports no release of other keys: they count until Meta or Shift is released.
    const press = ({ code, metaKey, shiftKey }: KeyboardEvent): void => {
      pressed = metaKey && shiftKey ? [...pressed, code] : [];
      if (!KEYS.every((key) => pressed.includes(key))) return;
      pressed = [];
      void open('secret-menu', {});
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [open]);
}
