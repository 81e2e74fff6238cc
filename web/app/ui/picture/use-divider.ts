import { type ChangeEvent, type KeyboardEvent, type RefObject, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** How far keys move the divider, in percent of the width. */
const KEY_STEP = 2;
const LARGE_KEY_STEP = 10;

/**
 * Position of the divider between two pictures, in percent from the inline start; set as `--position` of the frame.
 * @param beforeLabel name of the picture at the start, which is announced with its share
 * @param shown replaces the position on the screen
 */
export function useDivider(
  frame: RefObject<HTMLElement | null>,
  { start, beforeLabel, shown }: { readonly start: number; readonly beforeLabel: string; readonly shown?: number },
) {
  const { i18n } = useTranslation();
  const [position, setPosition] = useState(start);
  // Set by script: the content security policy forbids style attributes.
  useEffect(() => frame.current?.style.setProperty('--position', `${shown ?? position}%`), [frame, shown, position]);
  return {
    position,
    setPosition,
    inputProps: {
      min: 0,
      max: 100,
      step: 0.5,
      value: position,
      'aria-valuetext': `${beforeLabel}: ${percent(position, i18n.language)}`,
      onChange: (event: ChangeEvent<HTMLInputElement>) => setPosition(Number(event.currentTarget.value)),
      onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
        const step = keyStep(event);
        if (step === null) return;
        event.preventDefault();
        setPosition(Math.min(100, Math.max(0, Math.round(position) + step)));
      },
    },
  };
}

const percent = (value: number, language: string): string =>
  new Intl.NumberFormat(language, { style: 'percent' }).format(value / 100);

/** Signed movement for a key, in the text's direction as in a native range input; null for keys without one. */
function keyStep({ key, shiftKey, currentTarget }: KeyboardEvent<HTMLInputElement>): number | null {
  const step = shiftKey ? LARGE_KEY_STEP : KEY_STEP;
  const forward = getComputedStyle(currentTarget).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  switch (key) {
    case 'ArrowUp':
      return step;
    case 'ArrowDown':
      return -step;
    case 'ArrowLeft':
    case 'ArrowRight':
      return key === forward ? step : -step;
    case 'PageUp':
      return LARGE_KEY_STEP;
    case 'PageDown':
      return -LARGE_KEY_STEP;
    default:
      return null;
  }
}
