# Tables that are in no catalogue, and what the model of their field comes to in R. Writes tables/*.csv and fields.json:
#
#   Rscript test/fields/fields.R
#
# aicc counts all constants and an estimated sigma, as R's AIC does, with the correction for few readings.
suppressPackageStartupMessages({ library(MASS); library(nlme); library(survival) })
set.seed(20)
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
fields <- list()

put <- function(table, name) write.csv(table, file.path(here, "tables", paste0(name, ".csv")), row.names = FALSE, quote = FALSE)
field <- function(name, model, loglik, k, n, source) {
  stopifnot(is.finite(loglik))
  aicc <- -2 * loglik + 2 * k + 2 * k * (k + 1) / (n - k - 1)
  fields[[name]] <<- sprintf('  {"table": "%s", "model": "%s", "parameters": %d, "aicc": %.3f, "source": "%s"}', name, model, k, aicc, source)
}
of <- function(name, model, fit, source) {
  l <- logLik(fit)
  field(name, model, as.numeric(l), attr(l, "df"), attr(l, "nobs"), source)
}
# Squares of one fit for each group, with one sigma.
each <- function(name, model, fits, source) {
  rss <- sum(sapply(fits, deviance)); n <- sum(sapply(fits, nobs))
  field(name, model, -n / 2 * (log(2 * pi * rss / n) + 1), sum(sapply(fits, function(f) length(coef(f)))) + 1, n, source)
}
# Squares of logarithms: the density of y has 1/y.
logged <- function(name, model, fit, y, source) {
  l <- logLik(fit)
  field(name, model, as.numeric(l) - sum(log(y)), attr(l, "df"), attr(l, "nobs"), source)
}
by <- function(table, group, fit) lapply(split(table, as.character(table[[group]])), fit)

# --- R's own ---
put(Puromycin, "Puromycin")
each("Puromycin", "SSmicmen by state", by(Puromycin, "state", function(d) nls(rate ~ SSmicmen(conc, Vm, K), d)), "datasets: Treloar 1974")
put(DNase, "DNase")
each("DNase", "SSlogis over log(conc) by Run", by(DNase, "Run", function(d) nls(density ~ SSlogis(log(conc), Asym, xmid, scal), d)), "datasets: Davidian and Giltinan 1995")
put(Orange, "Orange")
each("Orange", "SSlogis by Tree", by(Orange, "Tree", function(d) nls(circumference ~ SSlogis(age, Asym, xmid, scal), d)), "datasets: Draper and Smith 1998")
put(Indometh, "Indometh")
each("Indometh", "SSbiexp by Subject", by(Indometh, "Subject", function(d) nls(conc ~ SSbiexp(time, A1, lrc1, A2, lrc2), d)), "datasets: Kwan and others 1976")
put(Loblolly, "Loblolly")
each("Loblolly", "SSasymp by Seed", by(Loblolly, "Seed", function(d) nls(height ~ SSasymp(age, Asym, R0, lrc), d)), "datasets: Kung 1986")
put(CO2, "CO2")
each("CO2", "SSasympOff by Plant", by(CO2, "Plant", function(d) nls(uptake ~ SSasympOff(conc, Asym, lrc, c0), d)), "datasets: Potvin and others 1990")
put(BOD, "BOD")
of("BOD", "SSasympOrig", nls(demand ~ SSasympOrig(Time, Asym, lrc), BOD), "datasets: Marske 1967")
put(ToothGrowth, "ToothGrowth")
of("ToothGrowth", "len ~ supp*log(dose)", lm(len ~ supp * log(dose), ToothGrowth), "datasets: Crampton 1947")
put(cars, "cars")
of("cars", "dist ~ 0 + speed + speed^2", lm(dist ~ 0 + speed + I(speed^2), cars), "datasets: Ezekiel 1930")
put(pressure, "pressure")
logged("pressure", "log(pressure) ~ A - B/(C + temperature)", nls(log(pressure) ~ A - B / (C + temperature), pressure, start = list(A = 18, B = 6000, C = 230)), pressure$pressure, "datasets: Weast 1973")
put(women, "women")
of("women", "weight ~ height + height^2", lm(weight ~ height + I(height^2), women), "datasets: McNeil 1977")
put(data.frame(eruptions = faithful$eruptions), "eruptions")
x <- faithful$eruptions
mixture <- function(p) -sum(log(plogis(p[1]) * dnorm(x, p[2], exp(p[3])) + (1 - plogis(p[1])) * dnorm(x, p[4], exp(p[5]))))
two <- optim(c(0, 2, -1, 4.3, -1), mixture, method = "BFGS", control = list(reltol = 1e-14, maxit = 1000))
field("eruptions", "two normals", -two$value, 5L, length(x), "datasets: Azzalini and Bowman 1990")
put(lung, "lung")
weib <- survreg(Surv(time, status) ~ 1, lung, dist = "weibull")
field("lung", "survreg, Weibull", weib$loglik[2], 2L, nrow(lung), "survival: Loprinzi and others 1994")
put(wtloss, "wtloss")
of("wtloss", "b0 + b1*2^(-Days/th)", nls(Weight ~ b0 + b1 * 2^(-Days / th), wtloss, start = list(b0 = 90, b1 = 95, th = 120)), "MASS: Venables and Ripley 2002, section 8.1")
put(steam, "steam")
of("steam", "a*exp(b*Temp/(c + Temp))", nls(Press ~ a * exp(b * Temp / (c + Temp)), steam, start = list(a = 4.5, b = 17, c = 235)), "MASS: Draper and Smith 1981")
calcium <- boot::calcium
put(calcium, "calcium")
of("calcium", "a*(1 - exp(-b*time))", nls(cal ~ a * (1 - exp(-b * time)), calcium, start = list(a = 4.3, b = 0.2)), "boot: Rawlings 1988")
put(as.data.frame(Cefamandole), "Cefamandole")
each("Cefamandole", "SSbiexp by Subject", by(Cefamandole, "Subject", function(d) nls(conc ~ SSbiexp(Time, A1, lrc1, A2, lrc2), d)), "nlme: Davidian and Giltinan 1995")
put(PlantGrowth, "PlantGrowth")
of("PlantGrowth", "weight ~ group", lm(weight ~ group, PlantGrowth), "datasets: Dobson 1983")
put(InsectSprays, "InsectSprays")
of("InsectSprays", "count ~ spray, Poisson", glm(count ~ spray, poisson, InsectSprays), "datasets: Beall 1942")

# --- drawn here, as laboratories write them ---
r <- function(x, d = 3) round(x, d)
conc <- rep(c(0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30), each = 3)
inhib <- function(x) 600 + 8400 / (1 + (x / 0.42)^1.3)
wells <- data.frame(well = c(rep("sample", 27), rep("DMSO", 4), rep("blank", 4)), conc_uM = c(conc, rep(NA, 8)), signal = r(c(inhib(conc), rep(9000, 4), rep(600, 4)) + rnorm(35, 0, 160), 0))
names(wells) <- c("well type", "conc (uM)", "signal")
write.csv(wells, file.path(here, "tables/inhibitor-controls.csv"), row.names = FALSE, quote = FALSE, na = "")
d <- subset(wells, `well type` == "sample"); full <- mean(wells$signal[28:31]); zero <- mean(wells$signal[32:35])
d <- data.frame(x = d[[2]], y = 100 * (d$signal - zero) / (full - zero))
of("inhibitor-controls", "four-parameter logistic of per cent", nls(y ~ b + (t - b) / (1 + (x / e)^h), d, start = list(b = 0, t = 100, e = 0.4, h = 1)), "drawn")

t <- seq(0, 20, 2)
progress <- data.frame(t, sapply(1:3, function(i) r(0.05 + 1.2 * (1 - exp(-0.22 * t)) + rnorm(11, 0, 0.02))))
names(progress) <- c("time (min)", "A405 1", "A405 2", "A405 3")
put(progress, "progress")
d <- data.frame(x = rep(t, 3), y = unlist(progress[, 2:4]))
of("progress", "SSasymp", nls(y ~ SSasymp(x, Asym, R0, lrc), d), "drawn")

x <- sort(r(c(rexp(1600, 1 / 2.2), runif(400, 0, 12)), 4)); x <- x[x < 12]
write.csv(data.frame(`decay time (us)` = x, check.names = FALSE), file.path(here, "tables/decay-times.csv"), row.names = FALSE, quote = FALSE)
lo <- min(x); hi <- max(x)
muon <- function(p) -sum(log(plogis(p[1]) * dexp(x - lo, exp(-p[2])) / pexp(hi - lo, exp(-p[2])) + (1 - plogis(p[1])) / (hi - lo)))
found <- optim(c(1, 1), muon, method = "BFGS", control = list(reltol = 1e-14))
field("decay-times", "exponential on a flat background", -found$value, 2L, length(x), "drawn")

conc <- rep(c(0, 1, 2, 4, 8, 12), each = 2)
counts <- data.frame(`conc (ng/mL)` = conc, counts = rpois(12, 3 + 4.1 * conc), check.names = FALSE)
put(counts, "calibration-counts"); names(counts) <- c("x", "y")
of("calibration-counts", "Poisson, identity link", glm(y ~ x, poisson(link = "identity"), counts, start = c(3, 4)), "drawn")

L <- rep(c(0.5, 1, 2, 4, 8, 16, 32, 64, 128), each = 2)
binding <- data.frame(ligand_nM = L, bound = r(920 * L / (9.5 + L) + 1.4 * L + rnorm(18, 0, 12), 1))
names(binding)[1] <- "ligand (nM)"
put(binding, "binding"); names(binding) <- c("x", "y")
of("binding", "one site and non-specific", nls(y ~ B * x / (K + x) + ns * x, binding, start = list(B = 900, K = 9, ns = 1)), "drawn")

TK <- c(298, 303, 308, 313, 318, 323, 333, 343, 353, 363)
arrhenius <- data.frame(TK, k = signif(3e13 * exp(-95000 / 8.314462618 / TK) * exp(rnorm(10, 0, 0.08)), 4))
names(arrhenius) <- c("T (K)", "k (1/s)")
put(arrhenius, "arrhenius"); names(arrhenius) <- c("x", "y")
logged("arrhenius", "log(k) ~ 1/T", lm(log(y) ~ I(1 / x), arrhenius), arrhenius$y, "drawn")

nu <- seq(400, 520, 1.5)
spectrum <- data.frame(nu, r(120 + 0.4 * (nu - 400) + 900 * exp(-((nu - 441) / 7)^2 / 2) + 520 * exp(-((nu - 472) / 9)^2 / 2) + rnorm(length(nu), 0, 12), 1))
names(spectrum) <- c("Raman shift (1/cm)", "intensity")
put(spectrum, "raman"); names(spectrum) <- c("x", "y")
of("raman", "two Gaussians on a line", nls(y ~ a + b * (x - 400) + A1 * exp(-((x - m1) / s1)^2 / 2) + A2 * exp(-((x - m2) / s2)^2 / 2), spectrum, start = list(a = 120, b = 0.4, A1 = 900, m1 = 441, s1 = 7, A2 = 500, m2 = 472, s2 = 9)), "drawn")

tt <- c(0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 8, 12, 24)
pk <- do.call(rbind, lapply(1:5, function(s) {
  ka <- exp(rnorm(1, 0.3, 0.3)); ke <- exp(rnorm(1, -2, 0.15)); V <- exp(rnorm(1, 3.2, 0.15))
  data.frame(subject = paste0("P", s), time = tt, dose = 300, conc = r(300 * ka / (V * (ka - ke)) * (exp(-ke * tt) - exp(-ka * tt)) * exp(rnorm(11, 0, 0.06))))
}))
p <- pk; names(p) <- c("subject", "time (h)", "dose (mg)", "conc (mg/L)"); put(p, "oral-doses")
fits <- by(pk, "subject", function(d) nls(log(conc) ~ log(dose * exp(lka) / (exp(lV) * (exp(lka) - exp(lke))) * (exp(-exp(lke) * time) - exp(-exp(lka) * time))), d, start = list(lka = 0.3, lke = -2, lV = 3.2)))
rss <- sum(sapply(fits, deviance)); n <- nrow(pk)
field("oral-doses", "one compartment by subject, error in proportion", -n / 2 * (log(2 * pi * rss / n) + 1) - sum(log(pk$conc)), 16L, n, "drawn")

t <- seq(0, 24, 1)
gompertz <- function(t) 2.1 + 6.4 * exp(-exp(1.1 * exp(1) / 6.4 * (5 - t) + 1))
growth <- data.frame(t, r(gompertz(t) + rnorm(25, 0, 0.08)))
names(growth) <- c("time (h)", "log CFU")
put(growth, "growth"); names(growth) <- c("x", "y")
of("growth", "Zwietering's Gompertz curve on a level", nls(y ~ y0 + A * exp(-exp(mu * exp(1) / A * (lag - x) + 1)), growth, start = list(y0 = 2, A = 6, mu = 1, lag = 5)), "drawn")

t <- seq(0, 45, 3)
german <- data.frame(t, r(0.12 + 1.05 * exp(-0.11 * t) + rnorm(16, 0, 0.012)), 0.012)
de <- function(x) sub(".", ",", formatC(x, format = "f", digits = 3), fixed = TRUE)
writeLines(c("Zeit (min);Extinktion;Fehler", paste(de(german[[1]]), de(german[[2]]), de(german[[3]]), sep = ";")), file.path(here, "tables/extinktion.csv"))
names(german) <- c("x", "y", "s")
g <- nls(y ~ c + A * exp(-k * x), german, start = list(c = 0.1, A = 1, k = 0.1), weights = 1 / s^2)
field("extinktion", "decay to a level, sigma known", sum(dnorm(german$y, fitted(g), 0.012, log = TRUE)), 3L, 16, "drawn")

t <- seq(0.25, 14.75, 0.5)
histogram <- data.frame(t, rpois(30, 4 + 80 * exp(-t / 2.2)))
names(histogram) <- c("time (us)", "counts")
put(histogram, "decay-counts"); names(histogram) <- c("x", "y")
nl <- function(p) -sum(dpois(histogram$y, exp(p[1]) + exp(p[2]) * exp(-histogram$x / exp(p[3])), log = TRUE))
found <- optim(c(log(4), log(80), log(2.2)), nl, method = "BFGS", control = list(reltol = 1e-14))
field("decay-counts", "decay to a level, Poisson", -found$value, 3L, 30, "drawn")

S <- rep(c(1, 2, 5, 10, 20, 50), 3); I <- rep(c(0, 5, 15), each = 6)
competitive <- data.frame(S, I, r(42 * S / (6 * (1 + I / 4) + S) + rnorm(18, 0, 0.6), 2))
names(competitive) <- c("substrate (mM)", "inhibitor (uM)", "rate")
put(competitive, "competitive"); names(competitive) <- c("S", "I", "y")
of("competitive", "competitive inhibition", nls(y ~ V * S / (K * (1 + I / Ki) + S), competitive, start = list(V = 40, K = 5, Ki = 4)), "drawn")

dose <- c(0.5, 1, 2, 4, 8, 16, 32); n <- rep(30, 7)
dead <- rbinom(7, n, plogis(1.6 * log(dose / 5)))
put(data.frame(`dose (mg/kg)` = dose, dead, n, check.names = FALSE), "mortality")
of("mortality", "logistic regression on log dose", glm(cbind(dead, n - dead) ~ log(dose), binomial), "drawn")

Ce <- c(0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200)
isotherm <- data.frame(Ce, signif(3.2 * Ce^0.41 * exp(rnorm(10, 0, 0.05)), 4))
names(isotherm) <- c("Ce (mg/L)", "qe (mg/g)")
put(isotherm, "freundlich"); names(isotherm) <- c("x", "y")
logged("freundlich", "log(qe) ~ log(Ce)", lm(log(y) ~ log(x), isotherm), isotherm$y, "drawn")

writeLines(c("[", paste(unlist(fields), collapse = ",\n"), "]"), file.path(here, "fields.json"))
