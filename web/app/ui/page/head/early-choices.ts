/** On a checkbox or radio that was changed before the page is hydrated: whether it is checked. */
const EARLY_CHOICE = 'data-early-choice';

/** Marks choices that are made before the page is hydrated: they change the inputs only. */
export function markEarlyChoices(): void {
  const root = document.documentElement;
  const onChange = ({ target }: Event) => {
    if (root.dataset.live) return removeEventListener('change', onChange, true);
    if (!(target instanceof HTMLInputElement) || !/^(?:checkbox|radio)$/.test(target.type)) return;
    // The last choice of a group counts.
    if (target.type === 'radio')
      for (const other of document.getElementsByName(target.name)) other.removeAttribute(EARLY_CHOICE);
    target.setAttribute(EARLY_CHOICE, String(target.checked));
  };
  addEventListener('change', onChange, true);
}

/** Repeats the marked choices on the hydrated page. */
export function repeatEarlyChoices(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>(`input[${EARLY_CHOICE}]:enabled`)) {
    // React reports a click only when it changes the value that was set before.
    input.checked = input.getAttribute(EARLY_CHOICE) !== 'true';
    input.click();
    input.removeAttribute(EARLY_CHOICE);
  }
}
