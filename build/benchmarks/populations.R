# Fits of build/benchmarks/populations.mjs by lme4, nlme and TMB: one case a process, its data written first where they are R's own.
#
#     Rscript build/benchmarks/populations.R data FOLDER            CSV files of R's own data
#     Rscript build/benchmarks/populations.R CASE BY FOLDER FITS    fits, the first of a process and the median of the others
args <- commandArgs(TRUE)
folder <- tail(args, if (args[1] == "data") 1 else 2)[1]
file <- function(name) file.path(folder, name)

if (args[1] == "data") {
  write.csv(lme4::sleepstudy, file("sleepstudy.csv"), row.names = FALSE)
  write.csv(lme4::Penicillin, file("penicillin.csv"), row.names = FALSE)
  theoph <- as.data.frame(datasets::Theoph)
  theoph$Subject <- paste0("s", theoph$Subject)
  write.csv(theoph, file("theophylline.csv"), row.names = FALSE)
  quit()
}

fits <- as.integer(args[4])
d <- read.csv(file(paste0(args[1], ".csv")), stringsAsFactors = TRUE)

byTmb <- function(template, data, parameters, random) {
  suppressMessages(library(TMB))
  library <- file(template)
  if (!file.exists(dynlib(library))) invisible(compile(paste0(library, ".cpp")))
  dyn.load(dynlib(library))
  function() {
    f <- MakeADFun(data, parameters, random = random, DLL = template, silent = TRUE)
    o <- nlminb(f$par, f$fn, f$gr)
    sdreport(f)
    o$objective
  }
}

theophylline <- list(
  model = conc ~ Dose * exp(lke + lka - lcl) * (exp(-exp(lke) * Time) - exp(-exp(lka) * Time)) / (exp(lka) - exp(lke)),
  start = c(lka = 0.5, lke = -2.5, lcl = -3.2))

fit <- switch(paste(args[1], args[2]),
  "sleepstudy lme4" = function() -c(logLik(lme4::lmer(Reaction ~ Days + (Days | Subject), d, REML = FALSE))),
  "penicillin lme4" = function() -c(logLik(lme4::lmer(diameter ~ 1 + (1 | plate) + (1 | sample), d, REML = FALSE))),
  "lines lme4" = function() -c(logLik(lme4::lmer(y ~ x + (x | g), d, REML = FALSE))),
  "counts lme4" = function() -c(logLik(lme4::glmer(y ~ x + (1 | g), d, family = poisson))),
  "crossed lme4" = function() -c(logLik(lme4::lmer(y ~ 1 + (1 | g) + (1 | h), d, REML = FALSE))),
  "theophylline nlme" = function() -c(logLik(nlme::nlme(theophylline$model, d, fixed = lka + lke + lcl ~ 1,
    random = nlme::pdDiag(lka + lcl ~ 1), groups = ~ Subject, start = theophylline$start, method = "ML"))),
  "lines TMB" = byTmb("lines", list(y = d$y, x = d$x, g = as.integer(d$g) - 1L),
    list(a = 0, s = 0, logsigma = 0, logsd = c(0, 0), rho = 0, u = matrix(0, 2, nlevels(d$g))), "u"),
  "sleepstudy TMB" = byTmb("lines", list(y = d$Reaction, x = d$Days, g = as.integer(as.factor(d$Subject)) - 1L),
    list(a = 250, s = 10, logsigma = 3, logsd = c(3, 1.5), rho = 0, u = matrix(0, 2, nlevels(as.factor(d$Subject)))), "u"),
  "counts TMB" = byTmb("counts", list(y = d$y, x = d$x, g = as.integer(d$g) - 1L),
    list(a = 0, s = 0, logsd = 0, u = rep(0, nlevels(d$g))), "u"),
  "theophylline TMB" = byTmb("theophylline", list(y = d$conc, dose = d$Dose, time = d$Time, g = as.integer(d$Subject) - 1L),
    list(lka = 0.5, lke = -2.5, lcl = -3.2, logsigma = 0, logsd = c(-0.7, -1.6), u = matrix(0, 2, nlevels(d$Subject))), "u"))

seconds <- c()
for (k in seq_len(fits)) seconds <- c(seconds, system.time(value <- fit())[["elapsed"]])
cat(sprintf('{"objective": %.12g, "first": %.4g, "again": %.4g}\n', value, seconds[1], median(seconds[-1])))
