/** @param {number} since from `Date.now()` */
const secondsSince = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

/**
 * Prints a line per step, with its duration.
 * @typedef {ReturnType<typeof createReport>} Report
 * @param {NodeJS.WritableStream} stream
 */
export function createReport(stream) {
  let lineIsOpen = false;
  // A closed pipe (`npm start | head`) must not end the product.
  stream.on('error', () => {});
  /** @param {string} text */
  const line = (text) => {
    stream.write(`${lineIsOpen ? '\n' : ''}${text}\n`);
    lineIsOpen = false;
  };
  return {
    line,
    /**
     * @template T
     * @param {string} label
     * @param {() => Promise<T>} action
     */
    async step(label, action) {
      const began = Date.now();
      if (lineIsOpen) stream.write('\n');
      stream.write(`${label} … `);
      lineIsOpen = true;
      let outcome = 'failed after';
      try {
        const result = await action();
        outcome = 'done in';
        return result;
      } finally {
        stream.write(`${lineIsOpen ? '' : `${label}: `}${outcome} ${secondsSince(began)}\n`);
        lineIsOpen = false;
      }
    },
  };
}
