// Letter values: the median, and boxes that each leave out half as much as the one before (Hofmann, Wickham and
// Kafadar 2017).

// The quantile of rising values, on the log axis on which they are drawn.
function quantile(values, share) {
  const at = share * (values.length - 1);
  const low = Math.floor(at);
  const [a, b] = [values[low], values[Math.min(low + 1, values.length - 1)]];
  return a === b ? a : a * (b / a) ** (at - low);
}

// Tukey's depth, so that the last box leaves out 5 to 8 values at either end; few values are no box at all.
function letters(values) {
  const depth = values.length < facts.few ? 0 : Math.floor(Math.log2(values.length)) - 3;
  const boxes = Array.from({ length: depth }, (_, place) => [
    quantile(values, 0.5 ** (place + 2)),
    quantile(values, 1 - 0.5 ** (place + 2)),
  ]);
  const outside = (value) => !depth || value < boxes.at(-1)[0] || value > boxes.at(-1)[1];
  return { median: quantile(values, 0.5), boxes, outside };
}
