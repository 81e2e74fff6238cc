import { type RefObject, useEffect, useRef } from 'react';
import { useAppNavigate } from '../../ui/page/app-link';

interface CopyLabels {
  readonly copy: string;
  readonly copied: string;
}

const COPIED_MS = 2_000;

/**
 * What the text does with JavaScript: code can be copied, a chosen language is chosen in every example, and links to
 * pages of the guide don't load the document.
 * @param html of the element; the buttons are added again when it changes
 */
export function useArticle(html: string, { copy, copied }: CopyLabels): RefObject<HTMLDivElement> {
  const article = useRef<HTMLDivElement>(null);
  const navigate = useAppNavigate();
  useEffect(() => {
    const { current } = article;
    if (!current || !html) return;
    const stop = new AbortController();
    const { signal } = stop;
    const buttons = [...current.querySelectorAll('pre')].map((block) => copyButton(block, { copy, copied }, signal));
    current.addEventListener('change', ({ target }) => chooseEverywhere(current, target), { signal });
    current.addEventListener(
      'click',
      (event) => {
        const address = guideAddressOf(event);
        if (address === null) return;
        event.preventDefault();
        navigate(address);
      },
      { signal },
    );
    return () => {
      stop.abort();
      for (const button of buttons) button.remove();
    };
  }, [html, copy, copied, navigate]);
  return article;
}

function copyButton(block: HTMLPreElement, { copy, copied }: CopyLabels, signal: AbortSignal): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'guide-copy';
  button.textContent = copy;
  button.lang = document.documentElement.lang;
  const code = block.textContent ?? '';
  button.addEventListener(
    'click',
    async () => {
      await navigator.clipboard.writeText(code);
      button.textContent = copied;
      setTimeout(() => {
        button.textContent = copy;
      }, COPIED_MS);
    },
    { signal },
  );
  block.append(button);
  return button;
}

function chooseEverywhere(article: HTMLElement, chosen: EventTarget | null): void {
  if (!(chosen instanceof HTMLInputElement)) return;
  for (const input of article.querySelectorAll<HTMLInputElement>('.guide-tabs > input'))
    if (input.value === chosen.value) input.checked = true;
}

/** Null for a click that the browser should handle. */
function guideAddressOf(event: MouseEvent): string | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const address = link?.getAttribute('href') ?? '';
  return address.startsWith('/developers') && !address.endsWith('.md') ? address : null;
}
