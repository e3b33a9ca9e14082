/** Certified results of the NIST problems in the catalogue. */
export interface NistProblem {
  /** Of the document in the catalogue, whose initial values are NIST's start 1. */
  readonly name: string;
  readonly start1: readonly number[];
  readonly start2: readonly number[];
  readonly certified: readonly number[];
  readonly standardDeviations: readonly number[];
  readonly residualSumOfSquares: number;
}

export const nistProblems: readonly NistProblem[] = [
  {
    name: 'misra1a',
    start1: [500.0, 0.0001],
    start2: [250.0, 0.0005],
    certified: [238.94212918, 0.00055015643181],
    standardDeviations: [2.7070075241, 7.2668688436e-6],
    residualSumOfSquares: 0.12455138894,
  },
  {
    name: 'thurber',
    start1: [1000.0, 1000.0, 400.0, 40.0, 0.7, 0.3, 0.03],
    start2: [1300.0, 1500.0, 500.0, 75.0, 1.0, 0.4, 0.05],
    certified: [1288.13968, 1491.0792535, 583.23836877, 75.416644291, 0.96629502864, 0.39797285797, 0.049727297349],
    standardDeviations: [
      4.6647963344, 39.571156086, 28.698696102, 5.567537027, 0.031333340687, 0.014984928198, 0.0065842344623,
    ],
    residualSumOfSquares: 5642.7082397,
  },
  {
    name: 'mgh17',
    start1: [50.0, 150.0, -100.0, 1.0, 2.0],
    start2: [0.5, 1.5, -1.0, 0.01, 0.02],
    certified: [0.37541005211, 1.9358469127, -1.4646871366, 0.01286753464, 0.022122699662],
    standardDeviations: [0.0020723153551, 0.22031669222, 0.22175707739, 0.00044861358114, 0.00089471996575],
    residualSumOfSquares: 5.4648946975e-5,
  },
  {
    name: 'hahn1',
    start1: [10.0, -1.0, 0.05, -1e-5, -0.05, 0.001, -1e-6],
    start2: [1.0, -0.1, 0.005, -1e-6, -0.005, 0.0001, -1e-7],
    certified: [
      1.0776351733, -0.12269296921, 0.004086375061, -1.4262662514e-6, -0.0057609940901, 0.00024053735503,
      -1.2314450199e-7,
    ],
    standardDeviations: [
      0.17070154742, 0.012000289189, 0.00022508314937, 2.7578037666e-7, 0.00024712888219, 1.0449373768e-5,
      1.3027335327e-8,
    ],
    residualSumOfSquares: 1.5324382854,
  },
];
